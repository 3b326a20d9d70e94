import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PeopleTokens } from "../../src/access/index.ts";
import type { ServerEntry } from "../../src/audit/index.ts";
import { createOperations } from "../../src/memory/index.ts";
import { routesOf } from "../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../src/server/rest/store-routes/registry.ts";
import { logIn, type TeamServer, teamServer } from "../access/identity/support/identity-server.ts";
import { patiently } from "../support/patiently.ts";
import { auditOfTest } from "./support/audit-place.ts";

/** Stands wherever a caller can put words. */
const WORDS = "the-vault-is-behind-the-stove";

const made = auditOfTest();
let server: TeamServer;
const tokens = new Map<string, string>();
let seen = 0;

beforeAll(async () => {
  server = await teamServer({ audit: made.audit });
  for (const role of ["read", "admin"] as const) {
    server.company.accounts[role] = { email: `${role}@example.org`, groups: [role] };
    await server.roles.grant({ kind: "group", name: role }, role);
    tokens.set(role, (await logIn(server, role)).access_token);
  }
  const { token } = await new PeopleTokens(server.store.tokens).create("prometheus", "metrics");
  tokens.set("metrics", token);
}, patiently(30_000));

afterAll(async () => {
  await server.end();
  await rm(join(made.place.file, "../.."), { recursive: true, force: true });
});

async function send(who: string | undefined, method: string, path: string, body?: unknown) {
  const token = who === undefined ? undefined : tokens.get(who);
  const response = await fetch(server.url + path, {
    method,
    redirect: "manual",
    headers: {
      accept: "application/json, text/event-stream;q=0.1",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status } = response;
  await response.body?.cancel();
  return status;
}

/** What was noted since this was asked last. */
async function news(): Promise<readonly ServerEntry[]> {
  const lines = (await readFile(made.place.file, "utf8")).trimEnd().split("\n");
  const entries = lines.slice(seen).map((line) => JSON.parse(line) as ServerEntry);
  seen = lines.length;
  return entries;
}

const OUTCOMES: Readonly<Record<number, string>> = { 401: "refused", 403: "refused" };
const outcomeOf = (status: number) => OUTCOMES[status] ?? (status < 400 ? "answered" : "failed");

interface Row {
  readonly method: string;
  readonly template: string;
  readonly operation?: string | undefined;
}

const ROWS: readonly Row[] = [
  ...routesOf(createOperations()).map(({ method, template, operation }) => ({
    ...{ method, template: `/api/v1${template}`, operation: operation.name },
  })),
  ...STORE_ROUTES.map(({ method, path }) => ({ method, template: `/api/v1${path}` })),
  ...["/", "/health", "/docs", "/metrics", "/api/v1/openapi.json", "/ui/*"].map((template) => ({
    ...{ method: "GET", template },
  })),
  { method: "POST", template: "/mcp" },
  { method: "POST", template: "/oauth/token" },
];

it(
  "notes each request once, let in or refused, whatever route it takes",
  async () => {
    await news();
    expect(ROWS.length).toBeGreaterThan(90);
    for (const { method, template, operation } of ROWS) {
      for (const who of [undefined, "metrics", "read", "admin"]) {
        const path = template.replaceAll(/\{\w+\}/g, WORDS).replace("*", "");
        const hasBody = method === "POST" || method === "PATCH";
        const query = `?db=web&query=${WORDS}&${WORDS}=1`;
        const body = hasBody ? { content: WORDS, [WORDS]: WORDS, id: WORDS } : undefined;
        const status = await send(who, method, path + query, body);
        const entries = await news();
        const isPublic = /^\/(ui|oauth)\//.test(template);
        const isKnown = who !== undefined && !isPublic;
        const name = who === "metrics" ? "prometheus" : `${who}@example.org`;
        expect([method, template, who, entries.length]).toEqual([method, template, who, 1]);
        expect([template, entries[0]]).toEqual([
          template,
          expect.objectContaining({
            ...{ route: `${method} ${template}`, status, outcome: outcomeOf(status) },
            ...{ caller: isKnown ? name : null, database: "web" },
            by: isKnown ? (who === "metrics" ? "token" : "role") : "nobody",
            ...(operation !== undefined && { operation }),
          }),
        ]);
      }
    }
  },
  patiently(120_000),
);

it("notes what no route answers, other methods and other hosts", async () => {
  await news();
  await send("admin", "GET", `/${WORDS}`);
  await send("admin", "PUT", "/api/v1/stats");
  await send(undefined, "GET", `/api/v1/${WORDS}`);
  await fetch(`${server.url}/api/v1/stats`, { headers: { origin: `https://${WORDS}.example` } });
  const entries = await news();
  expect(entries.map(({ status, route, caller }) => [status, route, caller])).toEqual([
    [404, "GET none", "admin@example.org"],
    [405, "PUT /api/v1/stats", "admin@example.org"],
    [401, "GET none", null],
    [403, "GET /api/v1/stats", null],
  ]);
});

it("names items by number and the change that a write was, and tells the ways in apart", async () => {
  await news();
  await send("admin", "POST", "/api/v1/episodes?db=docs", { content: WORDS });
  await send("admin", "GET", "/api/v1/episodes/ep:1?db=docs");
  await send("admin", "GET", "/api/v1/stats?db=docs");
  const headers = { authorization: `Bearer ${tokens.get("admin")}` };
  const feed = await fetch(`${server.url}/api/v1/events?db=docs`, {
    headers: { ...headers, accept: "text/event-stream" },
  });
  await feed.body?.cancel();
  const [written, read, stats, stream] = await news();
  expect(written).toMatchObject({ from: "rest", operation: "remember", database: "docs" });
  expect(written?.change).toMatch(/^change:\d+$/);
  expect(read).toMatchObject({ from: "rest", ids: ["ep:1"], outcome: "answered" });
  expect(stats).not.toHaveProperty("ids");
  expect(stream).toMatchObject({ from: "feed", route: "GET /api/v1/events", status: 200 });
});

it("notes each call of a tool over MCP, refused ones too, beside the request that brought it", async () => {
  await news();
  const call = (who: string, method: string, params: object) =>
    send(who, "POST", "/mcp?db=docs", { jsonrpc: "2.0", id: 1, method, params });
  const tool = (name: string, args: object) => ({ name, arguments: args });
  await call("admin", "tools/call", tool("remember", { content: WORDS }));
  await call("admin", "tools/call", tool("recall", { query: `ep:1 ${WORDS}` }));
  await call("admin", "tools/call", tool("recall", { [WORDS]: WORDS }));
  await call("read", "tools/call", tool("remember", { content: WORDS }));
  await call("admin", "tools/call", tool(WORDS, {}));
  await call("admin", "resources/read", { uri: `memory://${WORDS}/${WORDS}` });
  const entries = (await news()).filter(({ from }) => from === "mcp");
  const calls = entries.filter(({ route }) => route === undefined);
  expect(entries.length - calls.length).toBe(6);
  expect(calls.map((one) => [one.operation, one.status, one.caller, one.database])).toEqual([
    ["remember", 200, "admin@example.org", "docs"],
    ["recall", 200, "admin@example.org", "docs"],
    ["recall", 400, "admin@example.org", "docs"],
    ["remember", 403, "read@example.org", "docs"],
    ["tools/call", 400, "admin@example.org", "docs"],
    ["resources/read", 400, "admin@example.org", "docs"],
  ]);
  expect(calls[0]?.change).toMatch(/^change:\d+$/);
});

it("notes the directory's requests", async () => {
  const other = auditOfTest();
  const settings = { scimToken: "a-token-of-the-directory" };
  const provisioned = await teamServer({ settings, company: server.company, audit: other.audit });
  for (const token of [settings.scimToken, tokens.get("admin")]) {
    const headers = { authorization: `Bearer ${token}` };
    await (await fetch(`${provisioned.url}/scim/v2/Users`, { headers })).text();
  }
  await provisioned.end();
  const { entries } = await other.read();
  await rm(join(other.place.file, "../.."), { recursive: true, force: true });
  expect(entries.map(({ from, status, by }) => [from, status, by])).toEqual([
    ["log", undefined, "server"],
    ["directory", 200, "server"],
    ["directory", 401, "nobody"],
    ["log", undefined, "server"],
  ]);
});

it("never holds words of the memory, of a question, of a path, or a token", async () => {
  const text = await readFile(made.place.file, "utf8");
  expect(text).not.toContain(WORDS);
  for (const token of tokens.values()) expect(text).not.toContain(token);
  const { entries, problem } = await made.read();
  expect(problem).toBeUndefined();
  expect(entries.length).toBeGreaterThan(300);
});
