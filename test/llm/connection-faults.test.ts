import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createModelClient, llmSettings } from "../../src/llm/index.ts";

async function listen(server: Pick<Server, "listen" | "address" | "close">): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function createSelfSigned(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "cairn-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1"];
  execFileSync("openssl", ["req", ...options, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

const STARTS = {
  "TLS against a plain port": async () => ({
    settings: { baseUrl: `https://127.0.0.1:${await listen(createServer())}/v1` },
    advice: "begins with http:// or https://",
  }),
  "a self-signed certificate": async () => ({
    settings: {
      baseUrl: `https://127.0.0.1:${await listen(createTlsServer(createSelfSigned()))}/v1`,
    },
    advice: "NODE_EXTRA_CA_CERTS",
  }),
  "a proxy that requires a login": async () => {
    const proxy = createServer();
    proxy.on("connect", (_request, socket) => {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    return {
      settings: {
        baseUrl: "https://api.example.test/v1",
        proxy: `http://127.0.0.1:${await listen(proxy)}`,
      },
      advice: "HTTPS_PROXY=",
    };
  },
};

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const names = (Object.keys(STARTS) as (keyof typeof STARTS)[]).filter(
  (name) => hasOpenssl || name !== "a self-signed certificate",
);

it.each(names)("reports %s with its cure, without retries", async (name) => {
  const { settings, advice } = await STARTS[name]();
  const base = { provider: "openai-compatible", model: "m", apiKey: "none" };
  const client = createModelClient(llmSettings.parse({ ...base, ...settings }));
  const retries: string[] = [];
  const answer = client.answer({
    ...{ system: "SYSTEM", tools: [], messages: [{ role: "user", content: "Hello." }] },
    signal: AbortSignal.timeout(30_000),
    onRetry: (note) => void retries.push(note),
  });
  await expect(answer).rejects.toThrow(advice);
  expect(retries).toEqual([]);
});
