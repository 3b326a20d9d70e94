import { afterAll, beforeAll, expect, it } from "vitest";
import { type MemoryServer, serveMemory, temporaryFolder } from "../../support/memory-server.ts";

let server: MemoryServer;
let api: string;

beforeAll(async () => {
  const dataDir = temporaryFolder();
  const before = await serveMemory({ dataDir });
  await before.store.open().execute("remember", { content: "Kept" });
  await before.end();
  server = await serveMemory({ dataDir, readOnly: true });
  api = `${server.url}/api/v1`;
});

afterAll(() => server.end());

async function send(method: string, path: string, body?: object) {
  const headers = { "content-type": "application/json" };
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(api + path, init);
  return { status: response.status, body: await response.text() };
}

it("serves reads and reports read-only mode", async () => {
  expect((await send("GET", "/episodes/ep:1")).body).toContain("Kept");
  expect((await send("POST", "/query", { query: "kept" })).status).toBe(200);
  expect((await send("POST", "/databases/default/doctor", {})).status).toBe(200);
  const health = await (await fetch(`${server.url}/health`)).json();
  expect(health).toMatchObject({ read_only: true, database: "default" });
});

it.each([
  ["POST", "/episodes", { content: "x" }],
  ["POST", "/apply", { changeset: "delete ep:1" }],
  ["DELETE", "/episodes/ep:1", undefined],
  ["POST", "/databases", { name: "new" }],
  ["DELETE", "/databases/default", undefined],
  ["POST", "/databases/default/doctor", { fix: true }],
  ["POST", "/databases/default/reindex", {}],
  ["POST", "/import", { text: "[]", from: "jsonl" }],
])("rejects %s %s", async (method, path, body) => {
  const { status, body: text } = await send(method, path, body);
  expect([status, text]).toEqual([403, expect.stringContaining("--read-only")]);
});

it("rejects writes over MCP", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ ...call, params: { name: "remember", arguments: { content: "x" } } }),
  });
  const text = await response.text();
  expect(text).not.toContain('"isError":false');
  const { store } = server;
  expect((await store.open().execute("stats", {})).episodes.total).toBe(1);
});
