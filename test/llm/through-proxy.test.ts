import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { fetchThroughProxy } from "../../src/llm/outgoing-fetch.ts";
import { startProxy } from "./support/proxy.ts";

async function startServer(): Promise<string> {
  const server = createServer((_request, response) => void response.end("here"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return String((server.address() as AddressInfo).port);
}

it.each([
  ["api.example.test", undefined, true],
  ["api.example.test", "example.test", false],
  ["api.example.test", ".example.test", false],
  ["api.example.test", "*.example.test", false],
  ["example.test", ".example.test", false],
  ["notexample.test", "example.test", true],
  ["api.example.test", "other.test, API.example.TEST", false],
  ["api.example.test", "example.test:1", true],
  ["api.example.test", "*", false],
  ["api.example.test", "", true],
])("%s, without the proxy: %s, goes through it: %s", async (host, noProxy, isThrough) => {
  const port = await startServer();
  const { url, asked } = await startProxy();
  const fetch = await fetchThroughProxy(url, noProxy);
  // Only the proxy resolves this host name.
  const answer = await fetch(`http://${host}:${port}/`).then(
    (response) => response.text(),
    () => undefined,
  );
  expect([answer, asked.length > 0]).toEqual(isThrough ? ["here", true] : [undefined, false]);
});

it("reaches this machine without the proxy or warnings", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const port = await startServer();
  const { url, asked } = await startProxy();
  const fetch = await fetchThroughProxy(url, undefined);
  for (const host of ["127.0.0.1", "localhost"]) {
    await fetch(`http://${host}:${port}/`)
      .then((response) => response.text())
      .catch(() => undefined);
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([]);
  expect(warnings).toEqual([]);
});
