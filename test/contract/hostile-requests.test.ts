import { connect } from "node:net";
import { expect, it } from "vitest";
import { serveMemory } from "../support/memory-server.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";
import { expectHarmless } from "./hostile-requests.ts";

it("hostile requests are refused, and nothing is written", {
  timeout: 180_000,
}, async () => {
  const server = await serveMemory();
  await expectHarmless(server, 250);
  await server.end();
});

it("clients that vanish in the middle leave nothing behind", async () => {
  const server = await serveMemory();
  const openFiles = async () => (await import("node:fs")).readdirSync("/proc/self/fd").length;
  await fetch(`${server.url}/api/v1/stats`);
  const before = await openFiles();
  for (let n = 0; n < 40; n += 1) {
    await vanish(server.port, [
      "POST /api/v1/episodes HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      "Content-Type: application/json",
      "Content-Length: 1000",
      "",
      '{"content":"half',
    ]);
    await vanish(server.port, [
      "POST /api/v1/query HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      "Content-Type: application/json",
      "Content-Length: 17",
      "",
      '{"query":"a tea"}',
    ]);
    await vanish(server.port, [
      "GET /api/v1/events HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      "Accept: text/event-stream",
      "",
      "",
    ]);
  }
  await expect.poll(openFiles).toBeLessThanOrEqual(before + 3);
  expect(server.logged).toEqual([]);
  const stats = (await (await fetch(`${server.url}/api/v1/stats`)).json()) as { last_seq: number };
  expect(stats.last_seq).toBe(0);
  await server.end();
});

function vanish(port: number, lines: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(lines.join("\r\n"), async () => {
        await waitFixedTime(2, "random moment");
        socket.resetAndDestroy();
      });
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}
