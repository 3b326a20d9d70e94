import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { PeopleTokens, type TokenLimits } from "../../../src/access/index.ts";
import { createOperations } from "../../../src/memory/index.ts";
import { createRoutes } from "../../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../../src/server/rest/store-routes/registry.ts";
import type { AccessScope } from "../../../src/shared/caller.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

const SECRET = "Kestrel is let go in March";

let server: MemoryServer;
let people: PeopleTokens;
let episode: string;

beforeAll(async () => {
  server = await serveMemory();
  people = new PeopleTokens(server.store.tokens);
  await server.store.open("web").execute("remember", { content: "We deploy on Tuesdays" });
  const secret = await server.store.open("hr").execute("remember", { content: SECRET });
  episode = secret.id;
});
afterAll(() => server.end());

let made = 0;
async function tokenFor(scope: AccessScope, limits: TokenLimits = {}): Promise<string> {
  made += 1;
  return (await people.create(`${scope}-${made}`, scope, limits)).token;
}

function send(token: string, path: string, init: RequestInit = {}) {
  return fetch(server.url + path, {
    ...init,
    headers: {
      authorization: `Bearer ${token}`,
      ...(init.body !== undefined && { "content-type": "application/json" }),
      ...init.headers,
    },
  });
}

async function mcpClient(token: string, db: string) {
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp?db=${db}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Transport);
  onTestFinished(() => client.close());
  return client;
}

/** Valid bodies and existing names, so that only the scope decides. */
const bodies: Readonly<Record<string, object>> = {
  create_database: { name: "hr2" },
  rename_database: { to: "web2" },
  copy_database: { to: "web2" },
  import: { text: '{"content":"x"}\n', from: "jsonl" },
  create_token: { name: "mallory" },
  grant_access: { kind: "everyone", role: "admin" },
  revoke_access: { kind: "everyone" },
};

it("a token for one database is rejected for others and on global routes", async () => {
  const token = await tokenFor("admin", { databases: ["web"] });
  const operations = createRoutes(createOperations()).map(({ method, template }) => ({
    method,
    path: `/api/v1${template.replaceAll(/\{\w+\}/g, episode)}?db=hr`,
    body: method === "GET" || method === "DELETE" ? undefined : {},
  }));
  const stores = STORE_ROUTES.filter(({ id }) => id !== "list_databases").map((route) => ({
    method: route.method,
    path: `/api/v1${route.path.replaceAll(/\{\w+\}/g, "hr")}?db=hr`,
    body: route.method === "POST" ? (bodies[route.id] ?? {}) : undefined,
  }));
  const others = [{ method: "GET", path: "/metrics", body: undefined }];
  for (const { method, path, body } of [...operations, ...stores, ...others]) {
    const answer = await send(token, path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect([method, path, answer.status]).toEqual([method, path, 403]);
    expect(text).not.toContain("Kestrel");
  }
}, 180_000);

it("accesses and lists only its own database", async () => {
  const token = await tokenFor("write", { databases: ["web"] });
  const recalled = await send(token, "/api/v1/episodes?db=web");
  expect(await recalled.text()).toContain("Tuesdays");
  const { databases } = (await (await send(token, "/api/v1/databases")).json()) as {
    databases: { name: string }[];
  };
  expect(databases.map(({ name }) => name)).toEqual(["web"]);
});

it("does not leak another database's state through ETags", async () => {
  const known = await send(await tokenFor("read"), "/api/v1/stats?db=hr");
  const tag = known.headers.get("etag") ?? "";
  expect(tag).not.toBe("");
  const narrow = await tokenFor("read", { databases: ["web"] });
  const asked = await send(narrow, "/api/v1/stats?db=hr", { headers: { "if-none-match": tag } });
  expect(asked.status).toBe(403);
  const stream = await send(narrow, "/api/v1/events?db=hr", {
    headers: { accept: "text/event-stream" },
  });
  expect(stream.status).toBe(403);
});

it("opens MCP sessions only on its own database", async () => {
  const token = await tokenFor("read", { databases: ["web"] });
  await expect(mcpClient(token, "hr")).rejects.toThrow(/is limited to web/);
  const client = await mcpClient(token, "web");
  const { contents } = await client.readResource({ uri: "memory://stats" });
  expect(JSON.stringify(contents)).toContain("episodes");
  const completed = await client.complete({
    ref: { type: "ref/resource", uri: "memory://entity/{name}" },
    argument: { name: "name", value: "" },
  });
  expect(completed.completion.values).toEqual([]);
});

it("stops notifications once the token is revoked", async () => {
  const name = "subscriber";
  const { token } = await people.create(name, "read", { databases: ["web"] });
  const reader = await tokenFor("metrics");
  const sessions = async () =>
    /^cairn_mcp_sessions (\d+)$/m.exec(await (await send(reader, "/metrics")).text())?.[1];
  const before = await sessions();
  const client = await mcpClient(token, "web");
  const messages: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    messages.push(params.uri);
  });
  await client.subscribeResource({ uri: "memory://stats" });
  expect(await sessions()).not.toBe(before);
  await people.revoke(name);
  await expect
    .poll(async () => (await send(token, "/health")).status, { timeout: 15_000 })
    .toBe(401);
  await server.store.open("web").execute("remember", { content: "Nobody hears of this" });
  await expect.poll(sessions, { timeout: 15_000 }).toBe(before);
  expect(messages).toEqual([]);
});

it("expires on time, also for open streams", async () => {
  await expect(people.create("soon", "read", { expires: "soon" })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("expires: must be a number of hours or days"),
  });
  const record = await people.create("brief", "read", { expires: "1h" });
  expect(Date.parse(record.expires_at ?? "") - Date.now()).toBeGreaterThan(3_000_000);
  const stream = await send(record.token, "/api/v1/events?db=web", {
    headers: { accept: "text/event-stream" },
  });
  expect(stream.status).toBe(200);
  const [kept] = (await server.store.tokens.list()).filter(({ name }) => name === "brief");
  if (kept === undefined) throw new Error("The token was not kept.");
  const over = { scope: "read", expires_at: new Date(Date.now() - 1_000).toISOString() };
  await server.store.tokens.replace({ ...kept, limits: over });
  expect(await stream.text()).toContain('"kind":"remembered"');
  expect((await send(record.token, "/api/v1/stats?db=web")).status).toBe(401);
  await expect(people.rotate("brief")).rejects.toMatchObject({ code: "conflict" });
  const again = await people.rotate("brief", { expires: "2h" });
  expect((await send(again.token, "/api/v1/stats?db=web")).status).toBe(200);
});

it("is rotated with equal rights, and the old one is rejected", async () => {
  const old = await people.create("rory", "read", { databases: ["web"] });
  const next = await people.rotate("Rory");
  expect(next).toMatchObject({ name: "rory", scope: "read", databases: ["web"] });
  expect((await send(next.token, "/api/v1/stats?db=web")).status).toBe(200);
  expect((await send(next.token, "/api/v1/stats?db=hr")).status).toBe(403);
  expect((await send(old.token, "/api/v1/stats?db=web")).status).toBe(401);
  await expect(people.rotate("nobody")).rejects.toMatchObject({ code: "not_found" });
});

it("is stored so that older servers reject restricted tokens", async () => {
  await people.create("narrow", "admin", { databases: ["web"], expires: "1d" });
  const token = (await server.store.tokens.list()).find(({ name }) => name === "narrow");
  expect(["read", "write", "admin"]).not.toContain(token?.scope);
  expect((await people.list()).find(({ name }) => name === "narrow")).toMatchObject({
    scope: "admin",
    databases: ["web"],
    expires_at: expect.any(String),
  });
});

it("of an unknown format is rejected", async () => {
  const { token } = await people.create("newer", "read", { databases: ["web"] });
  const kept = (await server.store.tokens.list()).find(({ name }) => name === "newer");
  if (kept === undefined) throw new Error("The token was not kept.");
  await server.store.tokens.replace({ ...kept, limits: { ...kept.limits, layer: "mine" } });
  await expect
    .poll(async () => (await send(token, "/api/v1/stats?db=web")).status, {
      timeout: 15_000,
    })
    .toBe(401);
});

it("undoes its own changes, and others' only with decide", async () => {
  const anna = await tokenFor("write", { databases: ["web"] });
  const bruno = await tokenFor("write");
  const dora = await tokenFor("decide");
  const body = (content: string) => ({ method: "POST", body: JSON.stringify({ content }) });
  const theirs = await send(anna, "/api/v1/episodes?db=web", body("By anna"));
  const change = theirs.headers.get("cairn-change") ?? "";
  const undo = (token: string, what: object) =>
    send(token, "/api/v1/undo?db=web", { method: "POST", body: JSON.stringify(what) });
  const refused = await undo(bruno, { change });
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("--scope decide");
  expect((await undo(bruno, { change, dry_run: true })).status).toBe(403);
  // Without an id, undo reverts the caller's own last change.
  const own = await send(bruno, "/api/v1/episodes?db=web", body("By bruno"));
  await send(anna, "/api/v1/episodes?db=web", body("By anna again"));
  const undone = await undo(bruno, {});
  expect(await undone.json()).toMatchObject({ undo_of: [own.headers.get("cairn-change")] });
  expect((await undo(dora, { change })).status).toBe(200);
});

it("can propose but not write", async () => {
  const token = await tokenFor("propose");
  const post = (path: string, body: object) =>
    send(token, `${path}?db=web`, { method: "POST", body: JSON.stringify(body) });
  expect((await post("/api/v1/proposals", { content: "Fridays are quiet" })).status).toBe(200);
  expect((await post("/api/v1/episodes", { content: "Fridays are quiet" })).status).toBe(403);
  const changeset = 'propose "Fridays are loud"';
  expect((await post("/api/v1/apply", { changeset })).status).toBe(403);
});

it("has the propose tool over MCP", async () => {
  const client = await mcpClient(await tokenFor("propose"), "web");
  const { tools } = await client.listTools();
  const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  expect(writing.map(({ name }) => name)).toEqual(["propose"]);
  expect(client.getInstructions()).toContain("`propose`");
  const content = "Releases wait for Ada's word";
  const answer = await client.callTool({ name: "propose", arguments: { content } });
  expect(answer.isError).toBeUndefined();
  const open = await server.store.open("web").execute("list_proposals", {});
  expect(JSON.stringify(open)).toContain(content);
  const found = await server.store.open("web").execute("list_episodes", {});
  expect(JSON.stringify(found)).not.toContain(content);
  const writer = await mcpClient(await tokenFor("write"), "web");
  expect((await writer.listTools()).tools.map(({ name }) => name)).not.toContain("propose");
  const reader = await mcpClient(await tokenFor("read"), "web");
  expect(reader.getInstructions()).not.toContain("Remember what");
});

it("does not see the default database's name without access", async () => {
  const health = async (token: string) => (await send(token, "/health")).json();
  const web = await health(await tokenFor("read", { databases: ["web"] }));
  expect(web).toEqual({ ok: true, version: "0.0.0", database_state: "ok", read_only: false });
  const all = await health(await tokenFor("read"));
  expect(all).toMatchObject({ ok: true, database: "default" });
});

it("is listed with the time when it was last used", async () => {
  const admin = await tokenFor("admin");
  const listed = async () => {
    const { tokens } = (await (await send(admin, "/api/v1/tokens")).json()) as {
      tokens: { name: string; used_at?: string }[];
    };
    return tokens.find(({ name }) => name === `admin-${made}`)?.used_at;
  };
  await expect.poll(listed, { timeout: 30_000 }).toMatch(/^\d{4}-.*Z$/);
});
