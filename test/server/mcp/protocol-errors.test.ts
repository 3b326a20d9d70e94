import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMcpServer, serveStdio } from "../../../src/server/mcp/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { openMemoryStore, serveMemory, temporaryFolder } from "../../support/memory-server.ts";

interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

const INITIALIZE = {
  protocolVersion: "2025-03-26",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

function overStdio(
  messageBytes = 4_096,
  databaseOf?: (roots: readonly string[]) => string | undefined,
) {
  const store = openMemoryStore(temporaryFolder());
  const server = createMcpServer({
    ...{ store, db: undefined, interface: "a", tools: "all", structured: false },
    ...{ session: undefined, version: "0", logger: silentLogger, databaseOf },
  });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveStdio(server, { stdin, stdout, logger: silentLogger, messageBytes });
  const received: (Message | Message[])[] = [];
  let rest = "";
  stdout.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) received.push(JSON.parse(line));
  });
  onTestFinished(async () => {
    stdin.end();
    await served;
    await store.close();
  });
  const send = (value: unknown) =>
    stdin.write(`${typeof value === "string" ? value : JSON.stringify(value)}\n`);
  const answer = async (id: number | string | null) => {
    const find = () => received.flat().find((message) => message.id === id && !message.method);
    await expect.poll(find).toBeDefined();
    return find() as Message;
  };
  const request = (id: number, method: string, params: unknown) => {
    send({ jsonrpc: "2.0", id, method, params });
    return answer(id);
  };
  return { store, stdin, received, send, answer, request };
}

describe("MCP over stdio", () => {
  it("responds to an oversized message by id and continues", async () => {
    const { send, answer, request } = overStdio();
    await request(1, "initialize", INITIALIZE);
    const call = { name: "remember", arguments: { content: "x".repeat(9_000) } };
    send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call });
    expect((await answer(2)).error).toMatchObject({ code: -32600 });
    expect((await request(3, "tools/call", { name: "stats" })).error).toBeUndefined();
  });

  it("rejects an object with too many keys by message id", async () => {
    const { send, answer, request } = overStdio(1_000_000);
    await request(1, "initialize", INITIALIZE);
    const keys = Array.from({ length: 3_000 }, (_, n) => [`k${n}`, 1]);
    const call = { name: "stats", arguments: Object.fromEntries(keys) };
    send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call });
    expect((await answer(2)).error?.message).toMatch(/more than 2000 keys/);
  });

  it("responds to invalid JSON, invalid JSON-RPC and batches", async () => {
    const { send, received, answer, request } = overStdio();
    send("{broken");
    expect((await answer(null)).error?.code).toBe(-32700);
    send({ jsonrpc: "2.0", id: 7, method: 5 });
    expect((await answer(7)).error?.code).toBe(-32600);
    await request(1, "initialize", INITIALIZE);
    send([
      { jsonrpc: "2.0", id: 8, method: "ping" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 9, method: "tools/list", params: null },
    ]);
    await answer(9);
    const batch = received.find((message) => Array.isArray(message)) as Message[];
    expect(batch.map(({ id }) => id).sort()).toEqual([8, 9]);
  });

  it("answers a batch whole although it cancels one of its requests", async () => {
    const { send, received, answer, request } = overStdio();
    await request(1, "initialize", INITIALIZE);
    send([
      { jsonrpc: "2.0", id: 8, method: "ping" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } },
      { jsonrpc: "2.0", id: 9, method: "tools/list" },
    ]);
    await answer(9);
    const batch = received.find((message) => Array.isArray(message)) as Message[];
    expect(batch.map(({ id }) => id).sort()).toEqual([8, 9]);
  });

  it.each([
    ["tools/call", { arguments: {} }],
    ["tools/call", null],
    ["resources/read", {}],
    ["prompts/get", { name: 5 }],
    ["initialize", { protocolVersion: 5 }],
  ])("returns -32602 in one sentence for %s %j", async (method, params) => {
    const { request } = overStdio();
    const { error } = await request(1, method, params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(/^Invalid params: .{5,200}$/);
  });

  it.each([
    ["stats", { arguments: null }],
    ["stats", { arguments: "" }],
    ["stats", { arguments: {}, _meta: null }],
    ["list_conflicts", { arguments: '{"limit": 3}' }],
  ])("accepts parameters as clients send them: %s %j", async (name, params) => {
    const { request } = overStdio();
    const { error, result } = await request(1, "tools/call", { name, ...params });
    expect(error).toBeUndefined();
    expect(result).not.toHaveProperty("isError");
  });

  it("responds to a last line without a newline", async () => {
    const { stdin, answer } = overStdio();
    stdin.end('{"jsonrpc":"2.0","id":3,"method":"ping"}');
    expect((await answer(3)).result).toEqual({});
  });

  it("uses the database of the client's folder from the first call on", async () => {
    const asked: (readonly string[])[] = [];
    const { store, send, received, answer, request } = overStdio(4_096, (roots) => {
      asked.push(roots);
      return "shop";
    });
    await request(1, "initialize", { ...INITIALIZE, capabilities: { roots: {} } });
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const call = { name: "remember", arguments: { content: "The shop uses queues." } };
    send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call });
    const roots = () => received.flat().find(({ method }) => method === "roots/list");
    await expect.poll(roots).toBeDefined();
    send({ jsonrpc: "2.0", id: roots()?.id, result: { roots: [{ uri: "file:///work/shop" }] } });
    await answer(2);
    expect(asked).toEqual([["/work/shop"]]);
    expect((await store.list()).map(({ name }) => name)).toContain("shop");
  });
});

describe("MCP over HTTP", () => {
  const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it("starts a new session for `initialize` with an expired id", async () => {
    const server = await serveMemory();
    onTestFinished(() => server.end());
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE };
    const gone = { "mcp-session-id": "1b671a64-40d5-491e-99b0-da01ff1f3341" };
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: null };
    expect((await post(server.url, list, gone)).status).toBe(404);
    const begun = await post(server.url, initialize, gone);
    expect(begun.status).toBe(200);
    const id = begun.headers.get("mcp-session-id") ?? "";
    expect(id).not.toBe(gone["mcp-session-id"]);
    await begun.text();
    const listed = await post(server.url, list, { "mcp-session-id": id });
    expect([listed.status, await listed.text()]).toEqual([
      200,
      expect.stringContaining("remember"),
    ]);
  });
});
