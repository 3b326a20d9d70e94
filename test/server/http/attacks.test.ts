import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";
import { type RequestLine, rawRequest, requestText } from "./raw-request.ts";

const SECRET = "the marmot sleeps under the stairs";

let server: MemoryServer;
let own: Record<string, string>;
let reader: Record<string, string>;
beforeAll(async () => {
  server = await serveMemory();
  const people = new PeopleTokens(server.store.tokens);
  const { token } = await people.create("ada", "admin");
  const { token: readToken } = await people.create("rita", "read");
  own = { Host: `127.0.0.1:${server.port}`, Authorization: `Bearer ${token}` };
  reader = { ...own, Authorization: `Bearer ${readToken}` };
  await server.store.open().execute("remember", { content: SECRET });
  // A running server picks up tokens from other processes within a second.
  const stranger = async () => (await fetch(`${server.url}${EPISODES}`)).status;
  await vi.waitFor(async () => expect(await stranger()).toBe(401), { timeout: 15_000 });
});
afterAll(() => server.end());

interface Attack {
  readonly does: string;
  /** Built when sent, because tokens and ports are not known earlier. */
  readonly sends: () => RequestLine;
  readonly status: number;
}

const json = (body: string) => ({
  "Content-Type": "application/json",
  "Content-Length": String(Buffer.byteLength(body)),
});
const post = (path: string, body: string, headers = own): RequestLine => ({
  method: "POST",
  path,
  headers: { ...headers, ...json(body) },
  body,
});
const get = (path: string, headers: Record<string, string> = own): RequestLine => ({
  path,
  headers,
});
const upgrade = (path: string, headers: Record<string, string>): RequestLine => ({
  path,
  headers: {
    ...headers,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  },
});
const EPISODES = "/api/v1/episodes";
const host = () => ({ Host: own.Host ?? "" });
const FRAME = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const MCP = { Accept: "application/json, text/event-stream" };

const manyKeys = () => {
  const keys = Array.from({ length: 3_000 }, (_, n) => [`k${n}`, 1]);
  return JSON.stringify({ jsonrpc: "2.0", id: 1, params: Object.fromEntries(keys) });
};

const ATTACKS: readonly Attack[] = [
  { does: "an object of many keys", sends: () => post(EPISODES, manyKeys()), status: 400 },
  {
    does: "an object of many keys to MCP",
    sends: () => post("/mcp", manyKeys(), { ...own, ...MCP }),
    status: 400,
  },
  { does: "another Host", sends: () => get(EPISODES, { ...own, Host: "evil.test" }), status: 403 },
  {
    does: "a Host that only begins like this one",
    sends: () => get(EPISODES, { ...own, Host: "127.0.0.1.nip.io" }),
    status: 403,
  },
  {
    does: "a Host with a user",
    sends: () => get(EPISODES, { ...own, Host: "localhost@evil.test" }),
    status: 400,
  },
  {
    does: "an address that means this machine in other words",
    sends: () => get(EPISODES, { ...own, Host: "0x7f.1" }),
    status: 400,
  },
  {
    does: "a whole address in the request line",
    sends: () => get(`http://evil.test${EPISODES}`, { ...own, Host: "evil.test" }),
    status: 403,
  },
  {
    does: "a Host of another machine behind a forwarded one",
    sends: () => get(EPISODES, { ...own, Host: "evil.test", "X-Forwarded-Host": own.Host ?? "" }),
    status: 403,
  },
  {
    does: "another Origin",
    sends: () => get(EPISODES, { ...own, Origin: "https://evil.test" }),
    status: 403,
  },
  {
    does: "the Origin null of a sandboxed frame",
    sends: () => get(EPISODES, { ...own, Origin: "null" }),
    status: 403,
  },
  {
    does: "an Origin of another scheme",
    sends: () => get(EPISODES, { ...own, Origin: `https://${own.Host}` }),
    status: 403,
  },
  {
    does: "a form of another site",
    sends: () =>
      get(EPISODES, { ...own, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" }),
    status: 403,
  },
  { does: "no token", sends: () => get(EPISODES, host()), status: 401 },
  {
    does: "a token in the query",
    sends: () => get(`${EPISODES}?token=${(own.Authorization ?? "").slice(7)}`, host()),
    status: 401,
  },
  {
    does: "the beginning of a token",
    sends: () => get(EPISODES, { ...own, Authorization: (own.Authorization ?? "").slice(0, -1) }),
    status: 401,
  },
  {
    does: "a token and a letter",
    sends: () => get(EPISODES, { ...own, Authorization: `${own.Authorization}x` }),
    status: 401,
  },
  {
    does: "an empty token",
    sends: () => get(EPISODES, { ...own, Authorization: "Bearer " }),
    status: 401,
  },
  {
    does: "a token as a password",
    sends: () =>
      get(EPISODES, {
        ...own,
        Authorization: `Basic ${Buffer.from(`ada:${(own.Authorization ?? "").slice(7)}`).toString("base64")}`,
      }),
    status: 401,
  },
  {
    does: "a token of 60 kB",
    sends: () => get(EPISODES, { ...own, Authorization: `Bearer ${"x".repeat(60_000)}` }),
    status: 431,
  },
  {
    does: "a name of the prototype for a token",
    sends: () => get(EPISODES, { ...own, Authorization: "Bearer __proto__" }),
    status: 401,
  },
  {
    does: "a reader who writes",
    sends: () => post(EPISODES, '{"content":"x"}', reader),
    status: 403,
  },
  {
    does: "a reader who writes by another method",
    sends: () => post(EPISODES, '{"content":"x"}', { ...reader, "X-HTTP-Method-Override": "GET" }),
    status: 403,
  },
  {
    does: "a reader who makes a token",
    sends: () => post("/api/v1/tokens", '{"name":"x","scope":"admin"}', reader),
    status: 403,
  },
  {
    does: "a reader who makes a database by naming it",
    sends: () => post(`${EPISODES}?db=fresh`, '{"content":"x"}', reader),
    status: 403,
  },
  {
    does: "a reader who takes a backup",
    sends: () => get("/api/v1/databases/default/backup", reader),
    status: 403,
  },
  {
    does: "a reader who purges",
    sends: () => post("/api/v1/purge", '{"ids":"ep:1"}', reader),
    status: 403,
  },
  {
    does: "a reader whose tool writes",
    sends: () => post("/mcp", FRAME, { ...reader, ...MCP, "Mcp-Session-Id": "nobody" }),
    status: 404,
  },
  {
    does: "a path out of the page",
    sends: () => get("/ui/../../../../etc/passwd", host()),
    status: 401,
  },
  {
    does: "a path out of the page, encoded",
    sends: () => get("/ui/assets/%2e%2e%2f%2e%2e%2fpackage.json"),
    status: 404,
  },
  {
    does: "a path out of the page, encoded twice",
    sends: () => get("/ui/assets/%252e%252e%252fpackage.json"),
    status: 404,
  },
  { does: "a path with a NUL", sends: () => get("/ui/assets/x%00.js"), status: 404 },
  {
    does: "a database of another folder",
    sends: () => get("/api/v1/stats?db=../../etc/passwd"),
    status: 400,
  },
  {
    does: "a database of another folder, encoded",
    sends: () => get("/api/v1/stats?db=%2e%2e%2fx"),
    status: 400,
  },
  {
    does: "a database with an absolute path",
    sends: () => get("/api/v1/stats?db=/etc/passwd"),
    status: 400,
  },
  { does: "two databases", sends: () => get("/api/v1/stats?db=default&db=../x"), status: 400 },
  {
    does: "a database named by a NUL",
    sends: () => get("/api/v1/stats?db=default%00"),
    status: 400,
  },
  {
    does: "a database to be made in another folder",
    sends: () => post("/api/v1/databases", '{"name":"../x"}'),
    status: 400,
  },
  {
    does: "a copy to another folder",
    sends: () => post("/api/v1/databases/default/copy", '{"to":"../../x"}'),
    status: 400,
  },
  {
    does: "an id that is a path",
    sends: () => get(`${EPISODES}/..%2f..%2fdatabases`),
    status: 400,
  },
  { does: "an id that is SQL", sends: () => get(`${EPISODES}/ep:1%20or%201=1`), status: 400 },
  {
    does: "a body that says it is a form",
    sends: () => ({
      ...post(EPISODES, '{"content":"x"}'),
      headers: { ...own, "Content-Type": "text/plain", "Content-Length": "15" },
    }),
    status: 415,
  },
  {
    does: "a field of the prototype",
    sends: () => post(EPISODES, '{"content":"x","__proto__":{"scope":"admin"}}'),
    status: 400,
  },
  {
    does: "an author of somebody else's",
    sends: () => post(EPISODES, '{"content":"x","author":"root"}'),
    status: 400,
  },
  {
    does: "10 000 nested lists",
    sends: () => post("/api/v1/apply", `{"changeset":${JSON.stringify("[".repeat(10_000))}}`),
    status: 400,
  },
  {
    does: "a body of two lengths",
    sends: () => ({
      ...post(EPISODES, "{}"),
      headers: { ...own, ...json("{}"), "content-length": "3" },
    }),
    status: 400,
  },
  {
    does: "a length and chunks, which a proxy may read otherwise",
    sends: () => ({
      ...post(EPISODES, "0\r\n\r\n"),
      headers: { ...own, ...json("0\r\n\r\n"), "Transfer-Encoding": "chunked" },
    }),
    status: 400,
  },
  { does: "an upgrade of a server without sockets", sends: () => upgrade("/ws", own), status: 400 },
  {
    does: "an upgrade by another site",
    sends: () => upgrade("/ws", { ...own, Origin: "https://evil.test" }),
    status: 403,
  },
  { does: "an upgrade without a token", sends: () => upgrade("/ws", host()), status: 401 },
  {
    does: "an MCP session of nobody",
    sends: () => post("/mcp", FRAME, { ...own, ...MCP, "Mcp-Session-Id": "../x" }),
    status: 404,
  },
  {
    does: "MCP by another site",
    sends: () => post("/mcp", FRAME, { ...own, ...MCP, Origin: "https://evil.test" }),
    status: 403,
  },
  {
    does: "MCP without a token",
    sends: () => post("/mcp", FRAME, { ...host(), ...MCP }),
    status: 401,
  },
  {
    does: "MCP of a database elsewhere",
    sends: () => post("/mcp?db=..%2fx", FRAME, { ...own, ...MCP }),
    status: 400,
  },
  {
    does: "the feed without a token",
    sends: () => get("/api/v1/events", { ...host(), Accept: "text/event-stream" }),
    status: 401,
  },
  {
    does: "the feed for another site",
    sends: () =>
      get("/api/v1/events", { ...own, Accept: "text/event-stream", Origin: "https://evil.test" }),
    status: 403,
  },
  {
    does: "the feed from before its beginning",
    sends: () => get("/api/v1/events?since_seq=-1"),
    status: 400,
  },
  { does: "the metrics without a token", sends: () => get("/metrics", host()), status: 401 },
];

describe("a server that has tokens", () => {
  it.each(ATTACKS)("responds to $does with $status without leaking or writing", async (attack) => {
    const before = await position();
    const answer = await rawRequest(server.port, requestText(attack.sends()));
    expect(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]), answer.slice(0, 600)).toBe(
      attack.status,
    );
    expect(answer).not.toContain(SECRET);
    expect(answer).not.toMatch(/node_modules|at .+\.ts:\d+|root:x:/);
    expect(await position()).toEqual(before);
  });

  it("logs no internal errors and continues", async () => {
    expect(server.logged).toEqual([]);
    expect(await rawRequest(server.port, requestText(get(EPISODES, reader)))).toContain(SECRET);
  });
});

async function position(): Promise<unknown> {
  const { last_seq: seq } = (await server.store.open().execute("stats", {})) as {
    last_seq: number;
  };
  return { seq, databases: (await server.store.list()).map(({ name }) => name) };
}
