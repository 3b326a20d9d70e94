import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createGuardedApp, createRequestGuard } from "../../../src/server/http/index.ts";
import { addMcpRoute, type SessionLimits } from "../../../src/server/mcp/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { openMemoryStore, serveMemory, temporaryFolder } from "../../support/memory-server.ts";
import { httpClient, textOf } from "./mcp-client.ts";

const ACCEPT = "application/json, text/event-stream";

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
};

const call = (id: number, name: string, input: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input },
});

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

const cancelled = (requestId: number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

function post(url: string, message: unknown, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: ACCEPT, ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

async function start() {
  const server = await serveMemory();
  onTestFinished(() => server.end());
  return { server, url: `${server.url}/mcp` };
}

async function openSession(url: string) {
  const response = await post(url, initialize);
  await response.text();
  return {
    "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
}

describe("a session over HTTP", () => {
  it("stores and recalls with the SDK's client in its own session", async () => {
    const { server, url } = await start();
    const { client, transport } = await httpClient(url);
    await client.callTool({ name: "remember", arguments: { content: "Tea at four" } });
    const found = await client.callTool({ name: "recall", arguments: { query: "tea" } });
    expect(textOf(found)).toContain("Tea at four");
    const { session } = (await server.store.open().execute("get_episode", {
      episode_id: "ep:1",
    })) as { session: string };
    expect(session).toBe(transport.sessionId);
  });

  it("ends with DELETE, and is unknown afterwards", async () => {
    const { url } = await start();
    const headers = await openSession(url);
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(200);
    expect((await post(url, { jsonrpc: "2.0", id: 2, method: "ping" }, headers)).status).toBe(404);
  });

  it("resumes after a lost connection", async () => {
    const { url } = await start();
    const headers = await openSession(url);
    const answered = await post(url, call(2, "remember", { content: "x" }), headers);
    const ids = Array.from((await answered.text()).matchAll(/^id: (.+)$/gm), ([, id]) => id);
    expect(ids.length).toBeGreaterThanOrEqual(2);
    const gone = new AbortController();
    const resumed = await fetch(url, {
      headers: { ...headers, accept: "text/event-stream", "last-event-id": ids[0] ?? "" },
      signal: gone.signal,
    });
    const chunk = await resumed.body?.getReader().read();
    expect(new TextDecoder().decode(chunk?.value)).toContain('"id":2');
    gone.abort();
  });

  it.each([
    ["after it", [ping(7), cancelled(7)]],
    ["before it", [cancelled(7), ping(7)]],
    ["among others", [call(6, "stats", {}), call(7, "recall", { query: "tea" }), cancelled(7)]],
  ])("answers a request cancelled %s", async (_where, batch) => {
    const { url } = await start();
    const headers = { ...(await openSession(url)), "mcp-protocol-version": "2025-03-26" };
    const answer = await (await post(url, batch, headers)).text();
    const ids = Array.from(answer.matchAll(/"id":(\d+)/g), ([, id]) => id);
    expect(ids.sort()).toEqual(batch.flatMap((one) => ("id" in one ? [`${one.id}`] : [])));
  });

  it("answers a call that another request cancels, and rejects its id until then", async () => {
    const { server, url } = await start();
    const headers = await openSession(url);
    const memory = server.store.open();
    vi.spyOn(memory, "executeNamed").mockImplementationOnce(() => new Promise(() => undefined));
    const first = post(url, call(2, "stats", {}), headers).then((response) => response.text());
    await expect.poll(() => vi.mocked(memory.executeNamed).mock.calls.length).toBe(1);
    expect((await post(url, call(2, "stats", {}), headers)).status).toBe(400);
    expect((await post(url, cancelled(2), headers)).status).toBe(202);
    expect(await first).toContain('"id":2');
    expect(await (await post(url, call(2, "stats", {}), headers)).text()).toContain("episodes");
  });

  it("keeps its database and interface", async () => {
    const { url } = await start();
    const headers = await openSession(`${url}?db=one&interface=b&tools=core`);
    const listed = await post(
      `${url}?db=one&interface=b&tools=core`,
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
      headers,
    );
    expect(await listed.text()).toContain('"remember"');
    expect((await post(`${url}?db=two`, call(3, "stats", {}), headers)).status).toBe(400);
  });

  it.each(["db=../x", "db=", "interface=c", "tools=some", "dbb=x", "db=a&db=b"])(
    "is rejected with ?%s",
    async (query) => {
      const { url } = await start();
      expect((await post(`${url}?${query}`, initialize)).status).toBe(400);
    },
  );
});

describe("a session request", () => {
  it.each(["*/*", "application/*, text/*", "Application/JSON, TEXT/event-stream;q=0.9"])(
    "accepts the media ranges %s",
    async (accept) => {
      const { url } = await start();
      const session = await openSession(url);
      const response = await post(url, call(2, "stats", {}), { ...session, accept });
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("episodes: total=0");
    },
  );

  it.each(["application/json", "text/event-stream", "text/html"])(
    "rejects the media range %s, because responses are streams or JSON",
    async (accept) => {
      const { url } = await start();
      const session = await openSession(url);
      const response = await post(url, call(2, "stats", {}), { ...session, accept });
      expect(response.status).toBe(406);
    },
  );

  it("opens a new session for initialize with the id of an open one", async () => {
    const { url } = await start();
    const session = await openSession(url);
    const again = await post(url, initialize, session);
    expect(again.status).toBe(200);
    expect(again.headers.get("mcp-session-id")).not.toBe(session["mcp-session-id"]);
    expect((await post(url, call(2, "stats", {}), session)).status).toBe(200);
  });

  it.each([
    ["a compressed body", { "content-encoding": "gzip" }, gzipSync("{}"), 415],
    ["another charset", { "content-type": "application/json; charset=utf-16" }, "{}", 415],
    ["invalid UTF-8", {}, Buffer.from([0x22, 0xe9, 0x22]), 400],
  ])("rejects %s", async (_what, headers, body, status) => {
    const { url } = await start();
    const session = await openSession(url);
    for (const target of [session, {}]) {
      const sent = { "content-type": "application/json", accept: ACCEPT, ...target, ...headers };
      expect((await fetch(url, { method: "POST", headers: sent, body })).status).toBe(status);
    }
  });
});

describe("without a session", () => {
  it.each(["application/json", "*/*"])("a request that accepts %s gets JSON", async (accept) => {
    const { url } = await start();
    const response = await post(url, call(1, "stats", {}), { accept });
    expect(await response.json()).toMatchObject({ id: 1, result: {} });
  });

  it("a request gets a JSON response", async () => {
    const { url } = await start();
    const response = await post(url, call(7, "remember", { content: "alone" }));
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(await response.json()).toMatchObject({
      id: 7,
      result: { content: [{ text: expect.stringMatching(/^ep:1 · observation/) }] },
    });
  });

  it.each([
    ["broken JSON", "{", {}, 400],
    ["nothing", "", {}, 400],
    ["a batch", [call(1, "stats", {})], {}, 400],
    ["another content type", "{}", { "content-type": "text/plain" }, 415],
    ["another accept", call(1, "stats", {}), { accept: "text/html" }, 406],
    ["no JSON-RPC", { hello: 1 }, {}, 400],
    ["an unknown session", call(1, "stats", {}), { "mcp-session-id": "nope" }, 404],
  ])("%s is rejected", async (_what, body, headers, status) => {
    const { url } = await start();
    expect((await post(url, body, headers as Record<string, string>)).status).toBe(status);
  });

  it("GET and DELETE are not supported", async () => {
    const { url } = await start();
    expect((await fetch(url, { headers: { accept: "text/event-stream" } })).status).toBe(400);
    expect((await fetch(url, { method: "DELETE" })).status).toBe(400);
    const put = await fetch(url, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, expect.stringContaining("POST")]);
  });
});

describe("sessions", () => {
  function limited(sessionLimits: SessionLimits) {
    const store = openMemoryStore(temporaryFolder());
    const guard = createRequestGuard({ host: "127.0.0.1" });
    const app = createGuardedApp({ guard, bodyBytes: 10_000, logger: silentLogger });
    const route = addMcpRoute(app, {
      store,
      version: "0",
      logger: silentLogger,
      bodyBytes: 10_000,
      sessionLimits,
    });
    onTestFinished(async () => {
      await route.close(0);
      await store.close();
    });
    const send = (body: object, headers: Record<string, string> = {}) =>
      app.request("/mcp", {
        method: "POST",
        headers: {
          host: "127.0.0.1",
          accept: ACCEPT,
          "content-type": "application/json",
          ...headers,
        },
        body: JSON.stringify(body),
      });
    return { route, send };
  }

  it("are limited in number; the longest-idle one is evicted", async () => {
    const { route, send } = limited({ maxSessions: 3, idleMs: 60_000 });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const response = await send(initialize);
      await response.text();
      ids.push(response.headers.get("mcp-session-id") ?? "");
    }
    expect(route.sessions.count).toBe(3);
    const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
    expect((await send(ping, { "mcp-session-id": ids[0] ?? "" })).status).toBe(404);
    expect((await send(ping, { "mcp-session-id": ids[4] ?? "" })).status).toBe(200);
  });

  it("expire when idle", async () => {
    const { route, send } = limited({ maxSessions: 3, idleMs: 60_000 });
    await (await send(initialize)).text();
    route.sessions.closeIdle(Date.now() + 59_000);
    expect(route.sessions.count).toBe(1);
    route.sessions.closeIdle(Date.now() + 61_000);
    await expect.poll(() => route.sessions.count).toBe(0);
  });

  it("are not opened by a rejected request", async () => {
    const { route, send } = limited({ maxSessions: 3, idleMs: 60_000 });
    expect((await send(initialize, { accept: "text/html" })).status).toBe(406);
    expect(route.sessions.count).toBe(0);
  });
});

describe("stopping", () => {
  it("ends the streams that clients listen on", async () => {
    const server = await serveMemory();
    const url = `${server.url}/mcp`;
    const headers = await openSession(url);
    const stream = await fetch(url, { headers: { ...headers, accept: "text/event-stream" } });
    const before = Date.now();
    const ended = stream.text();
    await server.close(9_000);
    await ended;
    expect(Date.now() - before).toBeLessThan(4_500);
    await server.end();
  });
});
