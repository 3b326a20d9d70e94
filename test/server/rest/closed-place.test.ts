import { request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { createOperations } from "../../../src/memory/index.ts";
import { createRoutes } from "../../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../../src/server/rest/store-routes/registry.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

const BESIDE = ["/", "/health", "/metrics", "/api/v1/openapi.json", "/mcp"];

const ROUTES = [
  ...createRoutes(createOperations()).map(({ method, template }) => ({ method, path: template })),
  ...STORE_ROUTES.map(({ method, path }) => ({ method, path })),
].map(({ method, path }) => ({ method, path: `/api/v1${path.replaceAll(/\{\w+\}/g, "ep:1")}` }));

async function status(server: MemoryServer, method: string, path: string): Promise<number> {
  const hasBody = method !== "GET" && method !== "DELETE";
  const response = await fetch(server.url + path, {
    method,
    headers: hasBody ? { "content-type": "application/json" } : {},
    ...(hasBody && { body: "{}" }),
  });
  await response.arrayBuffer();
  return response.status;
}

function upgradeStatus(server: MemoryServer, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(server.url + path, {
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "sec-websocket-version": "13",
      },
    });
    asking.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    asking.on("error", reject);
    asking.end();
  });
}

it("a running server rejects all requests once its last token is revoked", async () => {
  const server = await serveMemory({ allowHost: ["memory.example.org"] });
  onTestFinished(() => server.end());
  await server.store.open().execute("remember", { content: "Ours alone" });
  const people = new PeopleTokens(server.store.tokens);
  const { token } = await people.create("writer", "admin");
  const asWriter = async (path: string) =>
    (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await asWriter("/api/v1/stats")).toBe(200);
  await people.revoke("writer");
  await expect.poll(() => asWriter("/api/v1/stats"), { timeout: 15_000 }).toBe(401);

  const calls = [...ROUTES, ...BESIDE.map((path) => ({ method: "GET", path }))];
  calls.push({ method: "POST", path: "/mcp" }, { method: "DELETE", path: "/mcp" });
  expect(calls.length).toBeGreaterThan(80);
  for (const { method, path } of calls) {
    expect([method, path, await status(server, method, path)]).toEqual([method, path, 401]);
  }
  for (const path of ["/", "/mcp", "/ws"]) {
    expect([path, await upgradeStatus(server, path)]).toEqual([path, 401]);
  }
  await expect(people.reopen()).rejects.toMatchObject({ code: "conflict" });
  expect(await people.list()).toEqual([]);
  expect((await server.store.open().execute("stats", {})).episodes.total).toBe(1);
}, 90_000);

it("a store stays closed for servers started later until opened", async () => {
  const first = await serveMemory();
  onTestFinished(() => first.end());
  const people = new PeopleTokens(first.store.tokens);
  await people.create("ada", "read");
  await people.revoke("ada");
  const later = await serveMemory({ dataDir: first.dataDir });
  onTestFinished(() => later.end());
  expect(await status(later, "GET", "/api/v1/stats")).toBe(401);
  await people.reopen();
  await expect.poll(() => status(later, "GET", "/api/v1/stats"), { timeout: 15_000 }).toBe(200);
});
