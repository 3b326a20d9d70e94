import { rmSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { PeopleTokens, type TokenLimits } from "../../../src/access/index.ts";
import { type DatabasePlace, openPlace } from "../../../src/database/index.ts";
import { isDatabaseName, type MemoryStore } from "../../../src/memory/index.ts";
import { TestClock } from "../../../src/testing/test-clock.ts";
import { logIn, teamServer } from "../../access/identity/support/identity-server.ts";
import {
  type MemoryServerSetup,
  memoryServer,
  temporaryFolder,
} from "../../support/memory-server.ts";
import { postgresPlace } from "../../support/postgres/postgres-place.ts";
import { postgresPrograms } from "../../support/postgres/postgres-programs.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

async function limitedServer(quotas: NonNullable<MemoryServerSetup["quotas"]>) {
  const clock = new TestClock();
  const server = await memoryServer({ clock, quotas });
  onTestFinished(() => server.end());
  const people = new PeopleTokens(server.store.tokens);
  const tokenOf = async (name: string, limits: TokenLimits = {}) =>
    (await people.create(name, "admin", limits)).token;
  await server.store.open().execute("remember", { content: "We deploy on Tuesdays" });
  const send = async (token: string, method: string, path: string, body?: object) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        // With `text/event-stream`, an import would respond 200 and report its failure in the
        // stream.
        accept: path === "/mcp" ? "application/json, text/event-stream" : "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      text: await response.text(),
    };
  };
  const connect = async (token: string) => {
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport as Transport);
    onTestFinished(() => client.close());
    return client;
  };
  const episodes = async () => {
    const { episodes } = await server.store.open().execute("stats", {});
    return (episodes as { total: number }).total;
  };
  return { server, clock, tokenOf, send, connect, episodes };
}

const call = (id: number, name: string, given: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});

it("counts requests per minute over REST and MCP per token", async () => {
  const { clock, tokenOf, send } = await limitedServer({ requestsPerMinute: 4 });
  const [ada, bob] = [await tokenOf("ada"), await tokenOf("bob")];
  clock.advance(20_000);
  const status = async (token: string, kind: "rest" | "mcp" | "wrong") => {
    if (kind === "rest") return (await send(token, "GET", "/api/v1/episodes")).status;
    if (kind === "wrong") return (await send(token, "GET", "/api/v1/nowhere")).status;
    return (await send(token, "POST", "/mcp", call(1, "recall", { query: "deploy" }))).status;
  };
  expect([await status(ada, "rest"), await status(ada, "mcp")]).toEqual([200, 200]);
  expect([await status(ada, "wrong"), await status(ada, "mcp")]).toEqual([404, 200]);
  for (const [method, path, body] of [
    ["GET", "/api/v1/episodes", undefined],
    ["POST", "/mcp", call(2, "recall", { query: "deploy" })],
    ["GET", "/api/v1/openapi.json", undefined],
    ["GET", "/api/v1/databases", undefined],
    ["GET", "/api/v1/nowhere", undefined],
  ] as const) {
    const refused = await send(ada, method, path, body);
    expect([path, refused.status, refused.retryAfter]).toEqual([path, 429, "40"]);
    expect(JSON.parse(refused.text)).toEqual({
      error: {
        code: "busy",
        message:
          "Limit of 4 requests per minute exceeded for ada. Retry in 40 s. The operator can raise " +
          "limits.requestsPerMinute, or create a token with its own limit: cairn token create NAME --requests-per-minute N.",
        details: { limit: "requests_per_minute", most: 4, retry_after_seconds: 40 },
      },
    });
  }
  expect(await status(bob, "rest")).toBe(200);
  clock.advance(39_999);
  expect(await status(ada, "rest")).toBe(429);
  clock.advance(1);
  expect(await status(ada, "rest")).toBe(200);
});

it("counts each message of a batch and rejects a large batch completely", async () => {
  const { tokenOf, server, clock, episodes } = await limitedServer({ requestsPerMinute: 6 });
  const token = await tokenOf("ada");
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = (body: object, session?: string) =>
    fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: { ...headers, ...(session !== undefined && { "mcp-session-id": session }) },
      body: JSON.stringify(body),
    });
  const opened = await post({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-03-26",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  });
  const session = opened.headers.get("mcp-session-id") ?? "";
  await opened.text();
  const batch = (length: number) =>
    Array.from({ length }, (_, n) => call(n + 1, "remember", { content: `note ${n}` }));
  const refused = await post(batch(6), session);
  expect([refused.status, await episodes()]).toEqual([429, 1]);
  clock.advance(MINUTE);
  const taken = await post(batch(6), session);
  expect(taken.status).toBe(200);
  await taken.text();
  expect(await episodes()).toBe(7);
  expect((await post(batch(1), session)).status).toBe(429);
});

it("counts writes per day over REST and MCP, each op separately", async () => {
  const { clock, tokenOf, send, connect, episodes } = await limitedServer({ writesPerDay: 5 });
  const ada = await tokenOf("ada");
  clock.advance(DAY - 90_500);
  const remember = () => send(ada, "POST", "/api/v1/episodes", { content: "Bread rises at four" });
  const apply = (ops: number, further: object = {}) =>
    send(ada, "POST", "/api/v1/apply", {
      changeset: Array.from({ length: ops }, (_, n) => `remember "note ${n}"`).join("\n"),
      ...further,
    });
  expect((await remember()).status).toBeLessThan(300);
  const client = await connect(ada);
  const byTool = await client.callTool({ name: "remember", arguments: { content: "By a tool" } });
  expect(byTool.isError ?? false).toBe(false);
  expect((await apply(9, { dry_run: true })).status).toBe(200);
  const before = await episodes();
  const tooMany = await apply(4);
  expect([tooMany.status, tooMany.retryAfter]).toEqual([429, "91"]);
  expect(tooMany.text).toContain(
    "Limit of 5 writes per day exceeded for ada (2 left, 3 requested)",
  );
  expect(await episodes()).toBe(before);
  expect((await apply(2)).status).toBe(200);
  expect(await episodes()).toBe(before + 2);
  const refused = await remember();
  expect([refused.status, refused.retryAfter]).toEqual([429, "91"]);
  const refusedTool = await client.callTool({ name: "remember", arguments: { content: "More" } });
  expect(refusedTool.isError).toBe(true);
  expect(refusedTool.structuredContent).toMatchObject({
    error: { code: "busy", details: { limit: "writes_per_day", retry_after_seconds: 91 } },
  });
  const database = await send(ada, "POST", "/api/v1/databases", { name: "other" });
  expect(database.status).toBe(429);
  expect((await send(ada, "GET", "/api/v1/episodes")).status).toBe(200);
  expect(await episodes()).toBe(before + 2);
  clock.advance(90_500);
  expect((await remember()).status).toBeLessThan(300);
});

it("counts imported records; a rerun resumes", async () => {
  const { clock, tokenOf, send, episodes } = await limitedServer({ writesPerDay: 8 });
  const ada = await tokenOf("ada");
  const bringIn = (from: number, to: number) => {
    const lines = Array.from({ length: to - from }, (_, n) => `{"content":"note ${from + n}"}\n`);
    return send(ada, "POST", "/api/v1/import", { text: lines.join(""), from: "jsonl" });
  };
  const before = await episodes();
  expect((await bringIn(0, 4)).status).toBe(200);
  expect(await episodes()).toBe(before + 4);
  const refused = await bringIn(0, 9);
  expect([refused.status, await episodes()]).toEqual([429, before + 4]);
  clock.advance(DAY);
  const again = await bringIn(0, 9);
  expect([again.status, await episodes()]).toEqual([200, before + 9]);
  expect(JSON.parse(again.text)).toMatchObject({ added: 5, known: 4 });
});

it("a token's own limits override the server's", async () => {
  const { tokenOf, send } = await limitedServer({ requestsPerMinute: 2 });
  const busy = await tokenOf("ci", { requests_per_minute: 4 });
  const quiet = await tokenOf("guest", { requests_per_minute: 1, writes_per_day: 1 });
  const statuses = async (token: string, times: number) => {
    const all: number[] = [];
    for (let n = 0; n < times; n += 1) {
      all.push((await send(token, "GET", "/api/v1/episodes")).status);
    }
    return all;
  };
  expect(await statuses(busy, 5)).toEqual([200, 200, 200, 200, 429]);
  expect(await statuses(quiet, 2)).toEqual([200, 429]);
});

it("never limits metrics and counts rejections", async () => {
  const { tokenOf, send } = await limitedServer({ requestsPerMinute: 1 });
  const ada = await tokenOf("ada");
  for (let n = 0; n < 4; n += 1) await send(ada, "GET", "/api/v1/episodes");
  expect((await send(ada, "GET", "/health")).status).toBe(200);
  const { text } = await send(ada, "GET", "/metrics");
  expect(text).toContain('cairn_over_limit_total{limit="requests_per_minute"} 3');
});

it("counts nothing without limits", async () => {
  const { tokenOf, send } = await limitedServer({});
  const ada = await tokenOf("ada");
  for (let n = 0; n < 30; n += 1) {
    expect((await send(ada, "POST", "/api/v1/episodes", { content: `note ${n}` })).status).toBe(
      200,
    );
  }
});

it("counts all sessions of a user together", async () => {
  const server = await teamServer({ quotas: { writesPerDay: 2 } });
  onTestFinished(() => server.end());
  await server.roles.grant({ kind: "everyone", name: "" }, "admin");
  const remember = async (token: string) => {
    const response = await fetch(`${server.url}/api/v1/episodes`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ content: "Bread rises at four" }),
    });
    return { status: response.status, text: await response.text() };
  };
  const first = (await logIn(server, "ada")).access_token;
  const second = (await logIn(server, "ada")).access_token;
  const other = (await logIn(server, "bruno")).access_token;
  expect([(await remember(first)).status, (await remember(second)).status]).toEqual([200, 200]);
  for (const token of [first, second]) {
    const refused = await remember(token);
    expect([refused.status, refused.text]).toEqual([
      429,
      expect.stringContaining("Limit of 2 writes per day exceeded for ada@example.org"),
    ]);
  }
  expect((await remember(other)).status).toBe(200);
});

describe("servers of one store share counts", () => {
  const places: readonly (readonly [string, () => () => DatabasePlace])[] = [
    [
      "in a folder",
      () => {
        const folder = temporaryFolder();
        onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
        return () => openPlace({ folder, address: undefined, isName: isDatabaseName });
      },
    ],
    ...(postgresPrograms() === undefined
      ? []
      : [
          [
            "on PostgreSQL",
            () => {
              const place = postgresPlace();
              onTestFinished(() => place[Symbol.dispose]());
              return () => openPlace({ folder: "", address: place.url, isName: isDatabaseName });
            },
          ] as const,
        ]),
  ];
  const HAS = 25;

  it.each(places)("%s: allows exactly the limit under concurrency", async (_where, somewhere) => {
    const open = somewhere();
    const clock = new TestClock();
    const servers: { url: string; store: MemoryStore }[] = [];
    for (let n = 0; n < 3; n += 1) {
      const quotas = { requestsPerMinute: HAS };
      const server = await memoryServer({ clock, quotas, place: open() });
      onTestFinished(() => server.end());
      servers.push(server);
    }
    const [first] = servers;
    if (first === undefined) throw new Error("There is no server.");
    await first.store.open().execute("remember", { content: "We deploy on Tuesdays" });
    const { token } = await new PeopleTokens(first.store.tokens).create("ada", "admin");
    const ask = async (n: number) => {
      const answer = await fetch(`${servers[n % servers.length]?.url}/api/v1/stats`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.text();
      return answer.status;
    };
    const round = async () => {
      const statuses = await Promise.all(Array.from({ length: 3 * HAS }, (_, n) => ask(n)));
      return [200, 429].map((status) => statuses.filter((it) => it === status).length);
    };
    expect(await round()).toEqual([HAS, 2 * HAS]);
    const later = await memoryServer({
      clock,
      quotas: { requestsPerMinute: HAS },
      place: open(),
    });
    onTestFinished(() => later.end());
    servers.push(later);
    expect(await ask(3)).toBe(429);
    const reader = await memoryServer({
      clock,
      quotas: { requestsPerMinute: HAS },
      place: open(),
      readOnly: true,
    });
    onTestFinished(() => reader.end());
    servers.push(reader);
    expect(await ask(4)).toBe(429);
    clock.advance(MINUTE);
    expect(await round()).toEqual([HAS, 2 * HAS]);
  });
});
