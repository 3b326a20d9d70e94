import { readdirSync } from "node:fs";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRoutes } from "../../../src/server/rest/index.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

let server: MemoryServer;
let api: string;

beforeAll(async () => {
  server = await serveMemory();
  api = `${server.url}/api/v1`;
  await post("/episodes", {
    content: "Deploys are on Fridays",
    entities: "file:src/a/b.ts,project:shop",
    labels: "team=core,area=build",
  });
});

afterAll(() => server.end());

type Json = ReturnType<typeof JSON.parse>;

async function jsonOf(response: Response): Promise<Json> {
  return response.json();
}

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(api + path, { headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text && JSON.parse(text)) as Json,
  };
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(api + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await jsonOf(response) };
}

describe("query strings", () => {
  it.each(["limit=5.0", "limit=0x5", "limit=%205%20", "limit=05", "limit=", "limit=5&limit=5"])(
    "rejects %s",
    async (query) => {
      const { status, body } = await get(`/episodes?${query}`);
      expect([status, body.error.code]).toEqual([400, "invalid_input"]);
      expect(body.error.message).toMatch(/limit/);
    },
  );

  it.each(["1", "True", "yes", ""])("rejects %o for a boolean", async (value) => {
    expect((await get(`/items?pending=${value}`)).status).toBe(400);
  });

  it("suggests the nearest parameter for an unknown one", async () => {
    const { status, body } = await get("/episodes?lables=team:core");
    expect(status).toBe(400);
    expect(body.error.message).toContain('Did you mean "label"?');
  });

  it("does not read body fields from the query of a POST", async () => {
    const { status, body } = await post("/query?query=deploys", {});
    expect([status, body.error.code]).toEqual([400, "invalid_input"]);
  });

  it("combines repeated labels, and splits each at its first colon", async () => {
    expect((await get("/episodes?label=team:core&label=area:build")).body.total).toBe(1);
    expect((await get("/episodes?label=team:core&label=area:ui")).body.total).toBe(0);
    expect((await get("/episodes?label=team")).status).toBe(400);
  });

  it.each(["__proto__=1", "constructor=1", "toString=x"])("rejects %s", async (query) => {
    expect((await get(`/episodes?${query}`)).status).toBe(400);
  });
});

describe("paths", () => {
  it("accepts entity ids with slashes, encoded or not", async () => {
    for (const id of ["file:src/a/b.ts", "file%3Asrc%2Fa%2Fb.ts"]) {
      expect((await get(`/entities/${id}`)).body.id).toBe("file:src/a/b.ts");
      expect((await get(`/entities/${id}/episodes`)).body.total).toBe(1);
      expect((await get(`/entities/${id}/concepts`)).body.concepts).toEqual([]);
    }
  });

  it("prefers literal paths over ids", async () => {
    expect((await get("/episodes/deleted")).body.episodes).toEqual([]);
    expect((await get("/concepts/deleted")).body.concepts).toEqual([]);
  });

  it("returns error bodies for unknown paths and methods", async () => {
    expect((await get("/nothing")).body.error.code).toBe("not_found");
    const response = await fetch(`${api}/stats`, { method: "DELETE" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toContain("GET");
    expect(await jsonOf(response)).toMatchObject({ error: { code: "method_not_allowed" } });
  });

  it("responds to HEAD wherever it responds to GET", async () => {
    for (const path of ["/episodes", "/stats", "/concepts", "/topics"]) {
      expect((await fetch(api + path, { method: "HEAD" })).status).toBe(200);
    }
  });

  it("does not treat a literal path as an id with another method", async () => {
    for (const path of ["/concepts/deleted", "/episodes/deleted"]) {
      const response = await fetch(api + path, { method: "DELETE" });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("returns an operation's 404 even if the path has other methods", async () => {
    expect((await get("/episodes/ep:99")).body.error.code).toBe("not_found");
  });
});

describe("bodies", () => {
  it.each([
    ["", 400],
    ["{", 400],
    ["[]", 400],
    ['"x"', 400],
    ["null", 400],
    ['{"content":"x","__proto__":{"content":"y"}}', 400],
    ['{"content":"x","constructor":1}', 400],
  ])("rejects %s", async (body, status) => {
    const answer = await post("/episodes", body);
    expect([answer.status, answer.body.error.code]).toEqual([status, "invalid_input"]);
  });

  it("reports the position of invalid JSON", async () => {
    const { body } = await post("/episodes", '{"content":\n oops}');
    expect(body.error.message).toContain("line 2");
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])(
    "rejects %s",
    async (type) => {
      const answer = await post("/episodes", '{"content":"x"}', { "content-type": type });
      expect([answer.status, answer.body.error.code]).toEqual([415, "unsupported_media_type"]);
    },
  );

  it("needs no body if the path has all fields", async () => {
    await post("/episodes", { content: "to be deleted" });
    expect((await fetch(`${api}/episodes/ep:2`, { method: "DELETE" })).status).toBe(200);
    expect((await post("/restore", { id: "ep:2" })).status).toBe(200);
  });

  it("returns the errors of a failed changeset", async () => {
    const { status, body } = await post("/apply", { changeset: "delete id=ep:1\ndelete id=ep:77" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: "changeset_failed",
      details: { success: false, results: [], errors: [{ op_index: 1, line: 2, op: "delete" }] },
    });
    expect((await get("/episodes/ep:1")).body.deleted_at).toBeNull();
  });

  it("accepts the idempotency key as a header", async () => {
    const first = await post("/episodes", { content: "once" }, { "idempotency-key": "k1" });
    const again = await post("/episodes", { content: "once" }, { "idempotency-key": "k1" });
    expect(again.body).toEqual(first.body);
    const other = await post("/episodes", { content: "twice" }, { "idempotency-key": "k1" });
    expect([other.status, other.body.error.code]).toEqual([409, "conflict"]);
    expect((await post("/topics", {}, { "idempotency-key": "k1" })).status).toBe(400);
  });

  it("rejects oversized bodies", async () => {
    const small = await serveMemory({ bodyBytes: 200 });
    const response = await fetch(`${small.url}/api/v1/episodes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ content: "x".repeat(300) }),
    });
    expect([response.status, (await jsonOf(response)).error.code]).toEqual([413, "too_large"]);
    await small.end();
  });
});

describe("databases", () => {
  const hostile = [
    "",
    "..",
    "../x",
    "a/b",
    ".hidden",
    "a%00b",
    "x".repeat(65),
    "%2e%2e%2fetc",
    "a b",
  ];
  const paths = ["/api/v1/stats", "/api/v1/databases", "/api/v1/openapi.json", "/health"];

  it.each(hostile)("rejects db=%s on every route without touching files", async (name) => {
    for (const path of paths) {
      const response = await fetch(`${server.url}${path}?db=${name}`);
      expect([path, response.status]).toEqual([path, 400]);
    }
    const written = await post(`/episodes?db=${name}`, { content: "x" });
    expect(written.status).toBe(400);
    expect(readdirSync(server.dataDir).filter((file) => !file.startsWith("default.db"))).toEqual(
      [],
    );
  });

  it("treats the default one as empty and returns 404 for others", async () => {
    const empty = await serveMemory();
    expect((await fetch(`${empty.url}/api/v1/episodes`)).status).toBe(200);
    expect((await fetch(`${empty.url}/api/v1/episodes?db=other`)).status).toBe(404);
    expect((await fetch(`${empty.url}/api/v1/events?db=other`)).status).toBe(404);
    expect(readdirSync(empty.dataDir)).toEqual([]);
    await empty.end();
  });

  it("creates one with its first write and lists it", async () => {
    expect((await post("/episodes?db=second", { content: "x" })).body.id).toBe("ep:1");
    const { body } = await get("/databases");
    expect(body.databases.map((database: { name: string }) => database.name)).toEqual([
      "default",
      "second",
    ]);
    expect(body).toMatchObject({ total: 2, page: 1 });
  });
});

describe("caching and compression", () => {
  it("returns 304 until the next write", async () => {
    const tag = (await get("/episodes")).headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"/);
    const same = await get("/episodes", { "if-none-match": tag });
    expect([same.status, same.body]).toEqual([304, ""]);
    expect((await get("/episodes?limit=1", { "if-none-match": tag })).status).toBe(200);
    await post("/episodes", { content: "news" });
    expect((await get("/episodes", { "if-none-match": tag })).status).toBe(200);
  });

  it("compresses long answers for clients that ask", async () => {
    const response = await fetch(`${api}/openapi.json`, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect((await jsonOf(response)).openapi).toBe("3.1.0");
  });
});

describe("guards", () => {
  const routes = ["/health", "/api/v1/stats", "/api/v1/openapi.json", "/mcp"];

  it.each(routes)("reject unauthorized requests at %s", async (path) => {
    const foreign = await fetch(`${server.url}${path}`, {
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
  });

  it("apply to every route: Host, Origin and db", async () => {
    for (const route of createRoutes(server.store.operations)) {
      const path = `/api/v1${route.template.replaceAll(/\{\w+\}/g, "ep:1")}`;
      const statuses = [
        await statusOf(route.method, path, { host: "evil.example" }),
        await statusOf(route.method, path, { host: `localhost.evil.example:${server.port}` }),
        await statusOf(route.method, path, { origin: "http://127.0.0.1:1" }),
        await statusOf(route.method, path, { origin: "null" }),
        await statusOf(route.method, `${path}?db=../../etc/passwd`, {}),
      ];
      expect([path, ...statuses]).toEqual([path, 403, 403, 403, 403, 400]);
    }
  });

  /** `fetch` cannot set the Host header. */
  function statusOf(method: string, path: string, headers: Record<string, string>) {
    return new Promise<number>((resolve, reject) => {
      const { port } = server;
      const sent = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  it("require the token everywhere once one exists", async () => {
    const closed = await serveMemory({ token: "secret" });
    for (const path of routes) {
      expect([path, (await fetch(`${closed.url}${path}`)).status]).toEqual([path, 401]);
    }
    const headers = { authorization: "Bearer secret" };
    expect((await fetch(`${closed.url}/api/v1/stats`, { headers })).status).toBe(200);
    await closed.end();
  });
});
