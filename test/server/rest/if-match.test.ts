import { afterAll, beforeAll, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

let server: MemoryServer;
let api: string;

beforeAll(async () => {
  server = await serveMemory();
  api = `${server.url}/api/v1`;
});

afterAll(() => server.end());

async function send(method: string, path: string, init: { body?: object; tag?: string } = {}) {
  const response = await fetch(api + path, {
    method,
    headers: {
      ...(init.body && { "content-type": "application/json" }),
      ...(init.tag && { "if-match": init.tag }),
    },
    ...(init.body && { body: JSON.stringify(init.body) }),
  });
  const tag = response.headers.get("etag") ?? "";
  return {
    status: response.status,
    tag,
    body: (await response.json()) as ReturnType<typeof JSON.parse>,
  };
}

it("accepts an ETag from GET, and returns 412 with the current record if stale", async () => {
  const { id } = (await send("POST", "/episodes", { body: { content: "One" } })).body;
  const { tag } = await send("GET", `/episodes/${id}`);
  expect(tag).toMatch(/^W\/".+-v\d+"$/);
  const first = await send("PATCH", `/episodes/${id}`, { body: { content: "Two" }, tag });
  expect(first.status).toBe(200);
  const stale = await send("PATCH", `/episodes/${id}`, { body: { content: "Three" }, tag });
  expect(stale.status).toBe(412);
  expect(stale.body.error).toMatchObject({
    code: "conflict",
    details: { id, present: { id, content: "Two" } },
  });
  const { version } = stale.body.error.details;
  const again = { body: { content: "Three" }, tag: `"v${version}"` };
  expect((await send("PATCH", `/episodes/${id}`, again)).status).toBe(200);
  const fresh = await send("GET", `/episodes/${id}`);
  expect((await send("DELETE", `/episodes/${id}`, { tag })).status).toBe(412);
  expect((await send("DELETE", `/episodes/${id}`, { tag: fresh.tag })).status).toBe(200);
});

it("rejects an invalid tag, and If-Match on unsupported routes", async () => {
  const { id } = (await send("POST", "/episodes", { body: { content: "One" } })).body;
  const odd = await send("PATCH", `/episodes/${id}`, { body: { content: "Two" }, tag: '"odd"' });
  expect([odd.status, odd.body.error.code]).toEqual([400, "invalid_input"]);
  const made = await send("POST", "/episodes", { body: { content: "Two" }, tag: "1" });
  expect([made.status, made.body.error.code]).toEqual([400, "invalid_input"]);
});

it("accepts If-Match for topics", async () => {
  await send("POST", "/topics", { body: { name: "Deploys" } });
  const topic = await send("PATCH", "/topics/deploys", { body: { description: "A" }, tag: '"v1"' });
  expect(topic.status).toBe(412);
});
