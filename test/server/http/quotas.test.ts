import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, it, onTestFinished } from "vitest";
import { PeopleTokens, type TokenLimits } from "../../../src/access/index.ts";
import { TestClock } from "../../../src/testing/test-clock.ts";
import { logIn, startTeamServer } from "../../access/identity/support/identity-server.ts";
import { type MemoryServerSetup, serveMemory } from "../../support/memory-server.ts";

const MINUTE = 60_000;

async function startLimitedServer(quotas: NonNullable<MemoryServerSetup["quotas"]>) {
  const clock = new TestClock();
  const server = await serveMemory({ clock, quotas });
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

const call = (id: number, name: string, input: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input },
});

it("counts requests per minute over REST and MCP per token", async () => {
  const { clock, tokenOf, send } = await startLimitedServer({ requestsPerMinute: 4 });
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
  const { tokenOf, server, clock, episodes } = await startLimitedServer({ requestsPerMinute: 6 });
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

it("a token's own limits override the server's", async () => {
  const { tokenOf, send } = await startLimitedServer({ requestsPerMinute: 2 });
  const busy = await tokenOf("ci", { requests_per_minute: 4 });
  const quiet = await tokenOf("guest", { requests_per_minute: 1 });
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
  const { tokenOf, send } = await startLimitedServer({ requestsPerMinute: 1 });
  const ada = await tokenOf("ada");
  for (let n = 0; n < 4; n += 1) await send(ada, "GET", "/api/v1/episodes");
  expect((await send(ada, "GET", "/health")).status).toBe(200);
  const { text } = await send(ada, "GET", "/metrics");
  expect(text).toContain('cairn_over_limit_total{limit="requests_per_minute"} 3');
});

it("counts nothing without limits", async () => {
  const { tokenOf, send } = await startLimitedServer({});
  const ada = await tokenOf("ada");
  for (let n = 0; n < 30; n += 1) {
    expect((await send(ada, "POST", "/api/v1/episodes", { content: `note ${n}` })).status).toBe(
      200,
    );
  }
});

it("counts all sessions of a user together", async () => {
  const server = await startTeamServer({
    quotas: { requestsPerMinute: 2 },
    clock: new TestClock(),
  });
  onTestFinished(() => server.end());
  await server.roles.grant({ kind: "everyone", name: "" }, "admin");
  const stats = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.url}/api/v1/stats`, { headers });
    return { status: response.status, text: await response.text() };
  };
  const first = (await logIn(server, "ada")).access_token;
  const second = (await logIn(server, "ada")).access_token;
  const other = (await logIn(server, "bruno")).access_token;
  expect([(await stats(first)).status, (await stats(second)).status]).toEqual([200, 200]);
  for (const token of [first, second]) {
    const refused = await stats(token);
    expect([refused.status, refused.text]).toEqual([
      429,
      expect.stringContaining("Limit of 2 requests per minute exceeded for ada@example.org"),
    ]);
  }
  expect((await stats(other)).status).toBe(200);
});
