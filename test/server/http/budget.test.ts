import { request } from "node:http";
import fc from "fast-check";
import { Hono } from "hono";
import { expect, it, onTestFinished } from "vitest";
import { isTooSlow } from "../../../src/server/http/buffer-bodies.ts";
import { errorResponse } from "../../../src/server/http/error-response.ts";
import type { HttpEnv } from "../../../src/server/http/guard-middleware.ts";
import { callerBudget } from "../../../src/server/http/guarded-app.ts";
import { serveMemory } from "../../support/memory-server.ts";

/** An app that responds on demand and reads the caller's name from a header. */
function createWaitingApp(requests: number) {
  const waiting: (() => void)[] = [];
  const app = new Hono<HttpEnv>();
  app.use((c, next) => {
    c.set("caller", { name: c.req.header("x-name") ?? "", scope: "read" });
    return next();
  });
  app.use(callerBudget({ requests, bytes: 1_000 }, 1_000));
  app.get("/", async (c) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return c.text("done");
  });
  app.onError((error) => errorResponse(error));
  const ask = (name: string) => app.request("/", { headers: { "x-name": name } });
  return { ask, waiting };
}

it("limits concurrent requests per token", async () => {
  const { ask, waiting } = createWaitingApp(2);
  const first = [ask("ada"), ask("ada")];
  const third = await ask("ada");
  expect([third.status, third.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await third.json()).toMatchObject({ error: { code: "busy" } });
  const other = ask("bob");
  await expect.poll(() => waiting.length).toBe(3);
  for (const answer of waiting.splice(0)) answer();
  for (const answer of await Promise.all([...first, other])) expect(answer.status).toBe(200);
  const again = ask("ada");
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.();
  expect((await again).status).toBe(200);
});

it("accepts bodies within the first seconds or at the speed of a slow line", () => {
  fc.assert(
    fc.property(fc.nat(600_000), fc.nat(8_000_000), (milliseconds, bytes) => {
      if (milliseconds <= 10_000) expect(isTooSlow(bytes, milliseconds)).toBe(false);
      if (bytes >= milliseconds) expect(isTooSlow(bytes, milliseconds)).toBe(false);
      expect(isTooSlow(Math.floor(milliseconds / 3_000), milliseconds)).toBe(milliseconds > 10_000);
    }),
  );
});

it("a request timeout returns busy and stores nothing", async () => {
  const server = await serveMemory();
  onTestFinished(() => server.end());
  const changeset = Array.from({ length: 2_000 }, (_, n) => `remember "note ${n}"`).join("\n");
  const apply = (time: string) =>
    fetch(`${server.url}/api/v1/apply`, {
      method: "POST",
      headers: { "content-type": "application/json", "cairn-timeout": time },
      body: JSON.stringify({ changeset }),
    });
  const late = await apply("1");
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await late.json()).toMatchObject({ error: { code: "busy" } });
  expect(await server.store.open().isThere()).toBe(false);
  expect((await apply("soon")).status).toBe(400);
});

it("aborts a body sent byte by byte", {
  tags: ["long"],
  timeout: 90_000,
}, async () => {
  const server = await serveMemory();
  onTestFinished(() => server.end());
  const began = performance.now();
  const ended = new Promise<void>((resolve) => {
    const asking = request(`${server.url}/api/v1/episodes`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": "100000" },
    });
    const drip = setInterval(() => asking.write(" "), 500);
    const end = () => {
      clearInterval(drip);
      asking.destroy();
      resolve();
    };
    asking.on("response", end).on("error", end);
    asking.flushHeaders();
  });
  await ended;
  expect(performance.now() - began).toBeLessThan(25_000);
});

it("reports exhausted file descriptors, not internal errors", async () => {
  for (const code of ["EMFILE", "ENFILE"]) {
    const cause = Object.assign(new Error(`${code}: too many open files`), { code });
    const answer = errorResponse(new Error("failed", { cause }));
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: expect.objectContaining({ code: "busy" }) },
    ]);
  }
});

it("four concurrent queries of one 60 000-letter word use little memory", async () => {
  const server = await serveMemory();
  onTestFinished(() => server.end());
  await server.store.open().execute("remember", { content: "abcdefgh".repeat(7_500) });
  const before = process.memoryUsage.rss();
  for (const word of ["x".repeat(60_000), "abcdefgh".repeat(7_500), "äöü日本語".repeat(9_000)]) {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        fetch(`${server.url}/api/v1/query`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query: word }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(500 * 1024 * 1024);
});
