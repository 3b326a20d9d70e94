import { createHash } from "node:crypto";
import type { Context, Hono, HonoRequest } from "hono";
import { compress } from "hono/compress";
import type { HttpEnv } from "../http/index.ts";
import { notFound } from "../kernel/errors.ts";
import { type PageFile, readPageFiles } from "./page-files.ts";
import { PAGE_ICON } from "./page-icon.ts";

/**
 * Nothing is loaded from, or sent to, any other place than this server; no script or style stands
 * in the page; and no text can become markup, since nothing may be assigned where it would.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types cairn-worker",
].join("; ");

const PAGE_PATH = /^\/ui(\/|$)/;
/** Named by their content, so they never change. */
const FOREVER = "public, max-age=31536000, immutable";

/**
 * Whether a request only asks for the page itself, which holds nothing of what is stored: a browser
 * that follows a link cannot bring a token, the page asks for it.
 */
export function isPageRequest(request: HonoRequest): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  return PAGE_PATH.test(request.path) || (request.path === "/" && wantsPage(request));
}

/** `/ui/…`: every address below it is a state of the page. `/` leads browsers there. */
export function addPageRoutes(app: Hono<HttpEnv>): void {
  const files = readPageFiles();
  app.get("/", (c, next) => (wantsPage(c.req) ? Promise.resolve(c.redirect("/ui/")) : next()));
  app.get("/ui", (c) => c.redirect("/ui/"));
  app.get("/ui/assets/icon.svg", () => send({ type: "image/svg+xml", body: PAGE_ICON }));
  app.get("/ui/assets/:name", compress(), (c) => {
    const file = files?.get(c.req.param("name"));
    if (file === undefined) throw notFound(`There is nothing at ${c.req.path}.`);
    return sendAsset(c, file);
  });
  app.get("/ui/*", compress(), (c) => {
    const index = files?.get("index.html");
    if (index === undefined) throw notFound("The page was not built: run npm run build.");
    const tag = `"${createHash("sha1").update(index.body).digest("base64url")}"`;
    if (c.req.header("if-none-match")?.includes(tag)) return new Response(null, { status: 304 });
    return send({ type: index.type, body: index.body }, { "cache-control": "no-cache", etag: tag });
  });
}

function wantsPage(request: HonoRequest): boolean {
  return request.header("accept")?.includes("text/html") ?? false;
}

function sendAsset(c: Context, { type, body, brotli }: PageFile): Response {
  const takesBrotli = /\bbr\b/.test(c.req.header("accept-encoding") ?? "");
  const headers = { "cache-control": FOREVER, vary: "Accept-Encoding" };
  if (brotli === undefined || !takesBrotli) return send({ type, body }, headers);
  return send({ type, body: brotli }, { ...headers, "content-encoding": "br" });
}

function send(
  { type, body }: { type: string; body: Buffer | string },
  headers: Record<string, string> = {},
): Response {
  return new Response(typeof body === "string" ? body : new Uint8Array(body), {
    headers: {
      "content-type": type,
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      ...headers,
    },
  });
}
