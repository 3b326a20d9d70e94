import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { createOperations, scopeOfOperation } from "../../../src/memory/index.ts";
import { createRoutes } from "../../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../../src/server/rest/store-routes/registry.ts";
import { ACCESS_SCOPES, type AccessScope } from "../../../src/shared/caller.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

let server: MemoryServer;
let tokens: Record<AccessScope, string>;

async function makeTokens({ store }: MemoryServer): Promise<Record<AccessScope, string>> {
  const people = new PeopleTokens(store.tokens);
  const make = async (name: string, scope: AccessScope) => (await people.create(name, scope)).token;
  return {
    approve: await make("phone", "approve"),
    metrics: await make("prometheus", "metrics"),
    read: await make("rita", "read"),
    propose: await make("paul", "propose"),
    write: await make("wanda", "write"),
    decide: await make("dora", "decide"),
    admin: await make("ada", "admin"),
  };
}

async function send(
  token: string | undefined,
  ...[method, path, body]: [method: string, path: string, body?: object]
) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers };
}

describe("a server of a team", () => {
  beforeAll(async () => {
    server = await serveMemory();
    await server.store.open().execute("remember", { content: "We deploy on Tuesdays" });
    tokens = await makeTokens(server);
  });
  afterAll(() => server.end());

  it("ends only event streams whose token is revoked", async () => {
    const people = new PeopleTokens(server.store.tokens);
    const { token } = await people.create("rosa", "read");
    const listen = (as: string, signal?: AbortSignal) =>
      fetch(`${server.url}/api/v1/events`, {
        headers: { accept: "text/event-stream", authorization: `Bearer ${as}` },
        ...(signal && { signal }),
      });
    const gone = new AbortController();
    const [rosas, ritas] = [await listen(token), await listen(tokens.read, gone.signal)];
    expect([rosas.status, ritas.status]).toEqual([200, 200]);
    let isRitasOpen = true;
    const reading = ritas.text().finally(() => {
      isRitasOpen = false;
    });
    await people.revoke("rosa");
    expect(await rosas.text()).toContain('"kind":"remembered"');
    expect((await listen(token)).status).toBe(401);
    expect(isRitasOpen).toBe(true);
    gone.abort();
    await expect(reading).rejects.toThrow();
  });

  it("rejects missing and unknown tokens", async () => {
    await expect
      .poll(async () => (await send(undefined, "GET", "/")).status, { timeout: 30_000 })
      .toBe(401);
    for (const path of ["/api/v1/stats", "/health", "/mcp", "/api/v1/databases", "/"]) {
      const without = await send(undefined, "GET", path);
      expect([path, without.status]).toEqual([path, 401]);
      expect(without.headers.get("www-authenticate")).toBe("Bearer");
      expect(without.text).toContain("Authorization: Bearer");
      const wrong = await send("cairn_wrong", "GET", path);
      expect([path, wrong.status]).toEqual([path, 401]);
      expect(wrong.text).toContain("cairn token create NAME");
      expect(wrong.text).not.toContain("cairn_wrong");
    }
  });

  const operations = createOperations();
  const operationCalls = createRoutes(operations).map(({ method, template, operation }) => ({
    method,
    path: `/api/v1${template.replaceAll(/\{\w+\}/g, "ep:999")}`,
    body: method === "GET" || method === "DELETE" ? undefined : {},
    needed: scopeOfOperation(operation),
  }));

  /** Valid bodies for routes that validate the body before the scope. */
  const BODIES: Readonly<Record<string, object>> = {
    create_database: { name: "-" },
    rename_database: { to: "-" },
    copy_database: { to: "-" },
    import: { text: "[]", from: "none" },
    create_token: { name: "-" },
    grant_access: { kind: "group", name: "dev", role: "read" },
    revoke_access: { kind: "group", name: "dev" },
  };
  /** Read-only routes, and routes that every writer may call. All others need `admin`. */
  const NEEDED: Readonly<Record<string, AccessScope>> = {
    list_databases: "read",
    list_bin: "read",
    export_database: "read",
    doctor_database: "read",
    import: "write",
  };
  const storeCalls = STORE_ROUTES.map(({ method, path, id }) => ({
    method,
    path: `/api/v1${path.replaceAll(/\{\w+\}/g, "none")}`,
    body: method === "POST" ? (BODIES[id] ?? {}) : undefined,
    needed: NEEDED[id] ?? "admin",
  }));

  const otherCalls = [
    ...["/", "/health", "/mcp", "/api/v1/openapi.json", "/nowhere"].map((path) => ({
      method: "GET",
      path,
      body: undefined,
      needed: "read" as const,
    })),
    { method: "POST", path: "/mcp", body: {}, needed: "read" as const },
    { method: "GET", path: "/metrics", body: undefined, needed: "metrics" as const },
  ];

  it("enforces scopes on every route", async () => {
    const calls = [...operationCalls, ...storeCalls, ...otherCalls];
    for (const { method, path, body, needed } of calls) {
      for (const scope of ACCESS_SCOPES) {
        const mayDo = ACCESS_SCOPES.indexOf(scope) >= ACCESS_SCOPES.indexOf(needed);
        const { status, text } = await send(tokens[scope], method, path, body);
        const outcome = status === 403 ? "refused" : status === 401 ? "unknown" : "let in";
        expect([method, path, scope, outcome]).toEqual([
          method,
          path,
          scope,
          mayDo ? "let in" : "refused",
        ]);
        // Tokens below `read` are rejected before the route is known.
        const isBelowRead = scope === "metrics" || scope === "approve";
        const asked = isBelowRead && needed !== "metrics" ? "read" : needed;
        if (!mayDo) expect(text).toContain(`cairn token create NAME --scope ${asked}`);
      }
    }
  }, 180_000);

  it("requires admin to create databases on every surface", async () => {
    const ways = (db: string) =>
      [
        ["POST", `/api/v1/episodes?db=${db}`, { content: "Whose is this?" }],
        ["POST", `/api/v1/apply?db=${db}`, { changeset: "remember content=x" }],
        ["POST", `/api/v1/import?db=${db}`, { text: '{"content":"Imported"}\n', from: "jsonl" }],
        ["POST", "/api/v1/databases", { name: db }],
      ] as const;
    for (const [method, path, body] of ways("made-by-wanda")) {
      const refused = await send(tokens.write, method, path, body);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(refused.text).toContain("--scope admin");
    }
    const listed = await send(tokens.read, "GET", "/api/v1/databases");
    expect(listed.text).not.toContain("made-by-wanda");
    const [[method, path, body]] = ways("made-by-ada");
    expect((await send(tokens.admin, method, path, body)).status).toBe(200);
    expect((await send(tokens.write, method, path, body)).status).toBe(200);
  });

  it("answers probes without a token or details", async () => {
    for (const path of ["/health/live", "/health/ready"]) {
      const answer = await send(undefined, "GET", path);
      expect([path, answer.status, answer.text]).toEqual([path, 200, ""]);
      expect((await send(undefined, "POST", path)).status).toBe(405);
    }
    expect((await send(undefined, "GET", "/health/other")).status).toBe(401);
  });

  it("requires admin to repair with doctor", async () => {
    const mending = await send(tokens.write, "POST", "/api/v1/databases/default/doctor", {
      fix: true,
    });
    expect(mending.status).toBe(403);
  });

  it("streams the change feed to readers", async () => {
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${tokens.read}`, accept: "text/event-stream" },
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    leaving.abort();
  });

  it("records the token's name as author regardless of the request", async () => {
    const written = await send(tokens.write, "POST", "/api/v1/episodes", {
      content: "Fridays are quiet",
      asserted_by: "the boss",
    });
    const { id } = JSON.parse(written.text);
    const [change] = (await server.store.open().execute("changes", { limit: 1 })).changes;
    expect(change).toMatchObject({ author: "wanda", surface: "rest" });
    const episode = await server.store.open().execute("get_episode", { episode_id: id });
    expect(episode.asserted_by).toBe("the boss");
  });

  it("records it for imports too", async () => {
    const input = { text: '{"content":"Imported"}\n', from: "jsonl" };
    expect((await send(tokens.write, "POST", "/api/v1/import", input)).status).toBe(200);
    const [change] = (await server.store.open().execute("changes", { limit: 1 })).changes;
    expect(change).toMatchObject({ author: "wanda", operation: "apply" });
  });

  it("lets admins create, list and revoke tokens", async () => {
    const made = await send(tokens.admin, "POST", "/api/v1/tokens", { name: "bob", scope: "read" });
    const { token } = JSON.parse(made.text);
    expect(made.headers.get("cache-control")).toBe("no-store");
    expect((await send(token, "GET", "/api/v1/stats")).status).toBe(200);
    const listed = await send(tokens.admin, "GET", "/api/v1/tokens");
    expect(JSON.parse(listed.text).tokens.map(({ name }: { name: string }) => name)).toEqual([
      "ada",
      "bob",
      "dora",
      "paul",
      "phone",
      "prometheus",
      "rita",
      "wanda",
    ]);
    expect(listed.text).not.toContain(token);
    expect((await send(tokens.admin, "DELETE", "/api/v1/tokens/bob")).status).toBe(200);
    await expect
      .poll(async () => (await send(token, "GET", "/api/v1/stats")).status, {
        timeout: 30_000,
      })
      .toBe(401);
  });
});

describe("MCP over HTTP", () => {
  beforeAll(async () => {
    server = await serveMemory();
    await server.store.open().execute("remember", { content: "We deploy on Tuesdays" });
    tokens = await makeTokens(server);
  });
  afterAll(() => server.end());

  async function client(token: string) {
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    const mcp = new Client({ name: "test", version: "1" });
    await mcp.connect(transport as Transport);
    onTestFinished(() => mcp.close());
    return { mcp, transport };
  }

  it("shows readers read-only tools and rejects others", async () => {
    const { mcp } = await client(tokens.read);
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name }) => name)).toContain("recall");
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    const answer = await mcp.callTool({ name: "remember", arguments: { content: "x" } });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain("cairn token create NAME --scope write");
    const recalled = await mcp.callTool({ name: "recall", arguments: { query: "deploy" } });
    expect(JSON.stringify(recalled.content)).toContain("Tuesdays");
    expect((await server.store.open().execute("stats", {})).episodes.total).toBe(1);
  });

  it("records the token's name as author", async () => {
    const { mcp } = await client(tokens.write);
    await mcp.callTool({ name: "remember", arguments: { content: "By wanda" } });
    const [change] = (await server.store.open().execute("changes", { limit: 1 })).changes;
    expect(change).toMatchObject({ author: "wanda", surface: "mcp" });
  });

  it("does not share sessions between users", async () => {
    const { transport } = await client(tokens.admin);
    const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };
    const stolen = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens.read}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": transport.sessionId ?? "",
      },
      body: JSON.stringify(list),
    });
    expect(stolen.status).toBe(404);
  });
});

describe("a server of one machine", () => {
  beforeEach(async () => {
    server = await serveMemory();
    onTestFinished(() => server.end());
  });

  it("accepts local requests until a token exists", async () => {
    expect((await send(undefined, "GET", "/health")).status).toBe(200);
    const { token } = await new PeopleTokens(server.store.tokens).create("ada", "admin");
    await expect
      .poll(async () => (await send(undefined, "GET", "/health")).status, {
        timeout: 30_000,
      })
      .toBe(401);
    expect((await send(token, "GET", "/health")).status).toBe(200);
  });
});

it("a server with its own token also accepts users' tokens", async () => {
  server = await serveMemory({ token: "own" });
  onTestFinished(() => server.end());
  const { read } = await makeTokens(server);
  const doctor = { fix: true };
  const mend = (token: string) =>
    send(token, "POST", "/api/v1/databases/none/doctor", doctor).then(({ status }) => status);
  expect(await mend("own")).toBe(404);
  expect(await mend(read)).toBe(403);
  expect(await mend("owl")).toBe(401);
});

it("no changeset op requires more than write", () => {
  const inChangesets = [...createOperations().values()].filter((it) => it.changeset !== undefined);
  expect(inChangesets.length).toBeGreaterThan(10);
  expect(inChangesets.filter((it) => scopeOfOperation(it) === "admin")).toEqual([]);
});
