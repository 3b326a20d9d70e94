import { afterAll, beforeAll, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

let server: MemoryServer;

beforeAll(async () => {
  server = await serveMemory({ token: "s3cret" });
});

afterAll(() => server.end());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: "manual" });

it("redirects browsers from / to the page and sends text to others", async () => {
  const browser = await get("/", { accept: "text/html,*/*" });
  expect([browser.status, browser.headers.get("location")]).toEqual([302, "/ui/"]);
  expect((await get("/")).status).toBe(401);
  const curl = await get("/", { authorization: "Bearer s3cret" });
  expect(await curl.text()).toContain("page at /ui/");
});

it("serves the page without a token and without stored data", async () => {
  const page = await get("/ui/shop/find?q=x");
  expect(page.status).toBe(200);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=| on\w+=/);
  expect((await get("/api/v1/stats")).status).toBe(401);
  expect((await get("/health")).status).toBe(401);
});

it("serves compressed immutable files", async () => {
  const html = await (await get("/ui/")).text();
  const scripts = html.match(/\/ui\/assets\/[\w-]+\.js/g) ?? [];
  let longest = 0;
  for (const script of scripts) {
    const response = await get(script, { "accept-encoding": "br" });
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(response.headers.get("cache-control")).toContain("immutable");
    longest = Math.max(longest, (await response.text()).length);
  }
  expect(longest).toBeGreaterThan(10_000);
  expect((await get("/ui/assets/nothing.js")).status).toBe(404);
  expect((await get("/ui/assets/..%2f..%2fpackage.json")).status).toBe(404);
});

it("sets policies on documents only", async () => {
  const html = await (await get("/ui/")).text();
  const [worker = ""] = /\/ui\/assets\/layout\.worker-\w+\.js/.exec(html) ?? [];
  const [script = ""] = /\/ui\/assets\/page-\w+\.js/.exec(html) ?? [];
  const [style = ""] = /\/ui\/assets\/style-\w+\.css/.exec(html) ?? [];
  const policyOf = async (path: string) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    return headers.get("content-security-policy");
  };
  for (const path of ["/ui/", "/ui/assets/index.html", "/ui/assets/icon.svg", worker]) {
    expect(await policyOf(path)).toContain("default-src 'none'");
  }
  for (const path of [script, style]) expect(await policyOf(path)).toBeNull();
  expect((await get(script)).headers.get("x-content-type-options")).toBe("nosniff");
});

it("rejects other hosts and origins", async () => {
  expect((await get("/ui/", { origin: "http://evil.example" })).status).toBe(403);
});
