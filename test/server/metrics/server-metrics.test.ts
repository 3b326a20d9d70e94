import { beforeEach, expect, it, onTestFinished } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { type MemoryServer, openMemoryStore, serveMemory } from "../../support/memory-server.ts";
import { ENGINE } from "../../support/test-backend.ts";

let server: MemoryServer;

beforeEach(async () => {
  server = await serveMemory();
  onTestFinished(() => server.end());
});

/** Returns values by series, e.g. `name{label="value"}`. Throws on malformed lines. */
async function scrape(headers: Record<string, string> = {}): Promise<Map<string, number>> {
  const response = await fetch(`${server.url}/metrics`, { headers });
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const series = new Map<string, number>();
  for (const line of (await response.text()).trimEnd().split("\n")) {
    if (line === "" || /^# (HELP|TYPE) [a-z_]+ /.test(line)) continue;
    const [, name = "", value = ""] =
      /^([a-z_]+(?:\{(?:[a-z]+="[^"]*",?)*\})?) (\S+)$/.exec(line) ?? [];
    expect([line, name]).not.toEqual([line, ""]);
    series.set(name, Number(value));
  }
  return series;
}

const get = (path: string, init?: RequestInit) =>
  fetch(server.url + path, init).then((answer) => answer.text());

it("counts requests by route and status, whatever their ids, refusals and failures included", async () => {
  await server.store.open().execute("remember", { content: "one" });
  await get("/api/v1/episodes/ep:1");
  await get("/api/v1/episodes/ep:1");
  await get("/api/v1/episodes/ep:77");
  await get("/api/v1/entities/file%3Asrc%2Fa.ts/facts");
  await get("/nowhere/1");
  await get("/nowhere/2");
  await get("/api/v1/stats", { headers: { Origin: "https://evil.test" } });
  await get("/api/v1/stats", { method: "PROPFIND" });
  const series = await scrape();
  const requests = (method: string, route: string, status: number) =>
    series.get(`cairn_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
  expect(requests("GET", "/api/v1/episodes/{episode_id}", 200)).toBe(2);
  expect(requests("GET", "/api/v1/episodes/{episode_id}", 404)).toBe(1);
  expect(requests("GET", "/api/v1/entities/{entity_id}/facts", 404)).toBe(1);
  expect(requests("GET", "none", 404)).toBe(2);
  expect(requests("GET", "none", 403)).toBe(1);
  expect([...series.keys()].filter((name) => name.includes('method="other"'))).not.toEqual([]);
  expect([...series.keys()].filter((name) => /ep:|src|PROPFIND|nowhere/.test(name))).toEqual([]);
  const label = '{method="GET",route="/api/v1/episodes/{episode_id}"';
  expect(series.get(`cairn_http_request_duration_seconds_count${label}}`)).toBe(3);
});

it("reports feed position and missing vectors of databases in use", async () => {
  await server.store.open().execute("remember", { content: "one" });
  await server.store.open("shop").execute("remember", { content: "two" });
  await server.store.open("shop").execute("remember", { content: "three" });
  server.store.open("only-asked-for");
  const series = await scrape();
  expect(series.get('cairn_feed_position{database="default"}')).toBe(1);
  expect(series.get('cairn_feed_position{database="shop"}')).toBe(2);
  expect(series.get('cairn_vectors_pending{database="shop"}')).toBe(0);
  expect(series.get('cairn_database_up{database="shop"}')).toBe(1);
  expect(series.has('cairn_database_up{database="only-asked-for"}')).toBe(false);
  expect(series.get('cairn_build_info{version="0.0.0"}')).toBe(1);
  expect(series.get("cairn_mcp_sessions")).toBe(0);
});

it("reports connections to a database server only", async () => {
  await server.store.open().execute("remember", { content: "one" });
  const series = await scrape();
  const connections = (state: string) => series.get(`cairn_pool_connections{state="${state}"}`);
  const isServer = ENGINE === "postgres";
  expect(series.get("cairn_pool_waiting")).toBe(isServer ? 0 : undefined);
  expect((connections("idle") ?? 0) + (connections("used") ?? 0) > 0).toBe(isServer);
});

it("reports the default database right after startup", async () => {
  const other = openMemoryStore(server.dataDir);
  await other.open().execute("remember", { content: "written elsewhere" });
  await other.close();
  const series = await scrape();
  expect(series.get('cairn_database_up{database="default"}')).toBe(1);
  expect(series.get('cairn_feed_position{database="default"}')).toBe(1);
});

it("requires the read scope", async () => {
  const { token } = await new PeopleTokens(server.store.tokens).create("prometheus", "read");
  await expect
    .poll(async () => (await fetch(`${server.url}/metrics`)).status, { timeout: 30_000 })
    .toBe(401);
  const series = await scrape({ authorization: `Bearer ${token}` });
  expect(series.get('cairn_http_requests_total{method="GET",route="none",status="401"}')).toBe(1);
});
