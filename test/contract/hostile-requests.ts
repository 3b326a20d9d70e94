import fc from "fast-check";
import { expect } from "vitest";
import { createRoutes } from "../../src/server/rest/index.ts";
import type { MemoryServer } from "../support/memory-server.ts";

interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Sends malformed requests. Every response must be below 500, and errors must not write. */
export async function expectHarmless(server: MemoryServer, numRuns: number): Promise<void> {
  await server.store.open().execute("remember", { content: "something to lose" });
  const session = await openSession(server);
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(requests(server, session), async (request) => {
      const before = await position(server);
      const status = await send(server, request);
      expect(status).toBeLessThan(500);
      if (status >= 400) {
        refused += 1;
        expect(await position(server)).toBe(before);
      }
    }),
    { numRuns },
  );
  expect(server.logged).toEqual([]);
  expect(refused).toBeGreaterThan(numRuns / 4);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
}

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("", " ", "..", "../../etc/passwd", "\u0000", "__proto__", "constructor", "ep:1"),
  fc.constantFrom("ep:99999999999999999999", "fact:-1", "5.0", "0x5", "1e99", "NaN", "-0", "null"),
  fc.constantFrom("' OR 1=1 --", "%", "%ZZ", "\ud800", "😀".repeat(50), "a".repeat(3_000)),
);

const hostileJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, [], {}, "x", 0, -1, 1e308, true),
);

function requests(server: MemoryServer, session: string): fc.Arbitrary<HostileRequest> {
  const routes = createRoutes(server.store.operations);
  const templates = routes.map((route) => route.template);
  const fields = [...new Set(routes.flatMap((it) => Object.keys(it.operation.input.shape)))];
  const path = fc
    .tuple(
      fc.constantFrom(...templates, "/nothing", "/databases"),
      fc.array(hostileText, { maxLength: 3 }),
    )
    .map(([template, texts]) =>
      template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(wellFormed(texts.pop() ?? "ep:1"))),
    );
  const query = fc
    .array(
      fc.tuple(fc.oneof(fc.constantFrom(...fields, "db", "label"), hostileText), hostileText),
      {
        maxLength: 3,
      },
    )
    .map((pairs) => new URLSearchParams(pairs).toString());
  const object = fc.dictionary(
    fc.oneof(fc.constantFrom(...fields), hostileText),
    fc.oneof(hostileText, hostileJson),
    { maxKeys: 4 },
  );
  const json = fc.oneof(object, hostileJson).map((value) => JSON.stringify(value));
  const rest = fc.record({
    method: fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS", "HEAD"),
    path: fc.tuple(path, query).map(([left, right]) => `/api/v1${left}?${right}`),
    headers: headers(),
    body: fc.oneof(json, json, mutated(json), hostileText, fc.uint8Array({ maxLength: 40 })),
  });
  return fc.oneof(
    { weight: 3, arbitrary: rest },
    { weight: 1, arbitrary: frames(server, session) },
  );
}

/** Valid headers with unusual values. Invalid HTTP is tested with the HTTP server. */
function headers(): fc.Arbitrary<Record<string, string>> {
  const odd = fc.oneof(
    hostileText,
    fc.constantFrom("*/*", "application/json", "text/event-stream"),
  );
  return fc
    .record(
      {
        "content-type": fc.oneof(
          { weight: 4, arbitrary: fc.constant("application/json") },
          { weight: 1, arbitrary: odd },
        ),
        accept: odd,
        "if-none-match": odd,
        "last-event-id": odd,
        "idempotency-key": odd,
        "accept-encoding": fc.constantFrom("gzip", "br;q=x", "*"),
      },
      { requiredKeys: [] },
    )
    .map((given) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, "?")]),
      ),
    );
}

function frames(server: MemoryServer, session: string): fc.Arbitrary<HostileRequest> {
  const tools = [...server.store.operations.keys()];
  const method = fc.oneof(
    fc.constantFrom("tools/call", "tools/list", "resources/read", "prompts/get", "initialize"),
    fc.constantFrom("ping", "completion/complete", "logging/setLevel", "notifications/cancelled"),
    hostileText,
  );
  const params = fc.oneof(
    fc.record({
      name: fc.oneof(fc.constantFrom(...tools), hostileText),
      arguments: fc.dictionary(hostileText, hostileJson, { maxKeys: 3 }),
    }),
    fc.record({ uri: hostileText.map((text) => `memory://${text}`) }),
    hostileJson,
  );
  const frame = fc.record(
    {
      jsonrpc: fc.oneof(
        { weight: 5, arbitrary: fc.constant("2.0") },
        { weight: 1, arbitrary: hostileText },
      ),
      id: fc.oneof(fc.nat(), hostileText, hostileJson),
      method,
      params,
    },
    { requiredKeys: ["jsonrpc", "method"] },
  );
  const json = fc
    .oneof(frame, hostileJson, fc.array(frame, { maxLength: 2 }))
    .map((value) => JSON.stringify(value));
  return fc.record({
    method: fc.constantFrom("POST", "POST", "POST", "GET"),
    path: fc.constantFrom("/mcp", "/mcp?interface=b", "/mcp?tools=core", "/mcp?db=..", "/mcp?x=1"),
    headers: fc
      .record({ "mcp-session-id": fc.constantFrom(session, "nope") }, { requiredKeys: [] })
      .map((given) => ({
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...given,
      })),
    body: fc.oneof(json, json, mutated(json)),
  });
}

function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.nat(), fc.constantFrom("", "{", '"', "\u0000", ",", "\\", "9"))
    .map(([whole, at, put]) => {
      const index = whole.length === 0 ? 0 : at % whole.length;
      return whole.slice(0, index) + put + whole.slice(index + 1);
    });
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

async function openSession(server: MemoryServer): Promise<string> {
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "f", version: "1" },
      },
    }),
  });
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

/** Returns the status. Aborts streams and slow responses. */
async function send(server: MemoryServer, request: HostileRequest): Promise<number> {
  const { method, path, headers: sent, body } = request;
  const hasBody = method !== "GET" && method !== "HEAD" && body !== undefined;
  const gone = new AbortController();
  const response = await fetch(server.url + path, {
    method,
    headers: { ...sent },
    // Shows the request that was never answered, instead of a timeout of the whole test.
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(30_000)]),
    ...(hasBody && { body: body as string }),
  });
  const isStream = response.headers.get("content-type")?.includes("event-stream") ?? false;
  if (isStream) gone.abort();
  else await response.arrayBuffer();
  return response.status;
}

async function position(server: MemoryServer): Promise<number> {
  const stats = (await server.store.open().execute("stats", {})) as { last_seq: number };
  return stats.last_seq;
}
