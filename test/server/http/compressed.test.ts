import { Hono } from "hono";
import { compress } from "hono/compress";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createGuardedApp,
  createRequestGuard,
  type HttpEnv,
  startHttpServer,
} from "../../../src/server/http/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";

/** Sets a header in each possible way, on short and long responses. */
async function startHeaderServer() {
  const guard = createRequestGuard({ host: "127.0.0.1", allowOrigin: ["https://page.test"] });
  const app = createGuardedApp({ guard, bodyBytes: 1000, logger: silentLogger });
  const routes = new Hono<HttpEnv>();
  const body = (length: string) => JSON.stringify("x".repeat(Number(length)));
  const type = { "content-type": "application/json" };
  routes.get("/given/:length", compress(), (c) => {
    return new Response(body(c.req.param("length")), { headers: { ...type, "x-mark": "1" } });
  });
  routes.get("/set/:length", compress(), (c) => {
    const response = new Response(body(c.req.param("length")), { headers: type });
    response.headers.set("x-mark", "1");
    return response;
  });
  routes.get("/context/:length", compress(), (c) => {
    c.header("x-mark", "1");
    return c.body(body(c.req.param("length")), 200, type);
  });
  app.route("/", routes);
  const server = await startHttpServer({
    app,
    host: "127.0.0.1",
    port: 0,
    needsToken: false,
    command: "test",
    announce: () => undefined,
  });
  onTestFinished(() => server.close(0));
  return server;
}

describe("a compressed answer", () => {
  it.each(["given", "set", "context"])("keeps a header that was %s for any length", async (way) => {
    const { url } = await startHeaderServer();
    for (const length of [300, 3_000, 300_000]) {
      for (const encoding of ["gzip", "identity"]) {
        const response = await fetch(`${url}/${way}/${length}`, {
          headers: { "accept-encoding": encoding, origin: "https://page.test" },
        });
        const { headers } = response;
        expect(headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
        expect([length, headers.get("x-mark")]).toEqual([length, "1"]);
        expect(headers.get("access-control-allow-origin")).toBe("https://page.test");
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(await response.json()).toHaveLength(length);
      }
    }
  });
});
