import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Hono, HonoRequest } from "hono";
import { compress } from "hono/compress";
import { notFound } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";
import type { HttpEnv } from "../http/index.ts";

/** A built file with its compressed variants. */
interface PageFile {
  readonly type: string;
  readonly body: Buffer;
  readonly brotli: Buffer | undefined;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

/**
 * Loads the built page into memory, so that an upgrade cannot mix two versions. Undefined if it was
 * not built.
 */
function readPageFiles(
  folder: string = join(packageRoot(), "dist", "ui"),
): ReadonlyMap<string, PageFile> | undefined {
  if (!existsSync(join(folder, "index.html"))) return undefined;
  const names = readdirSync(folder);
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = CONTENT_TYPES[name.replace(/^.*\./, "")];
    if (type === undefined) continue;
    const compressed = `${name}.br`;
    const brotli = names.includes(compressed) ? readFileSync(join(folder, compressed)) : undefined;
    files.set(name, { type, body: readFileSync(join(folder, name)), brotli });
  }
  return files;
}

const createIcon = (badge: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="#3b7a57"><ellipse cx="16" cy="25" rx="12" ry="5"/><ellipse cx="16.5" cy="15.5" rx="8.5" ry="4.2"/><ellipse cx="15.5" cy="7.5" rx="5" ry="3.4"/></g>${badge}</svg>`;

const PAGE_ICON = createIcon("");

const PAGE_ICON_WAITING = createIcon('<circle cx="25" cy="7" r="7" fill="#d9730d"/>');

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

const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};
const DOCUMENT_ASSET = /^(?!.*\.worker\b).*\.(js|css)$/;

const PAGE_PATH = /^\/ui(\/|$)/;
/** For files named by content hash. */
const IMMUTABLE_CACHE = "public, max-age=31536000, immutable";

/**
 * True for requests of the page itself, which contains no stored data. Navigation cannot send a
 * token; the page asks for it.
 */
export function isPageRequest(request: HonoRequest): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  return PAGE_PATH.test(request.path) || (request.path === "/" && acceptsHtml(request));
}

/** Serves the page under `/ui/…`, where it routes on the client; `/` redirects there. */
export function addPageRoutes(app: Hono<HttpEnv>): void {
  const files = readPageFiles();
  app.get("/", (c, next) => (acceptsHtml(c.req) ? Promise.resolve(c.redirect("/ui/")) : next()));
  app.get("/ui", (c) => c.redirect("/ui/"));
  addAssets(app, files);
  app.get("/ui/*", compress(), (c) => sendDocument(c, files?.get("index.html")));
}

function addAssets(app: Hono<HttpEnv>, files: ReturnType<typeof readPageFiles>): void {
  const icons = { "icon.svg": PAGE_ICON, "icon-waiting.svg": PAGE_ICON_WAITING };
  for (const [name, body] of Object.entries(icons)) {
    app.get(`/ui/assets/${name}`, () =>
      sendFile({ type: "image/svg+xml", body }, SECURITY_HEADERS),
    );
  }
  app.get("/ui/assets/:name", compress(), (c) => {
    const name = c.req.param("name");
    const file = files?.get(name);
    if (file === undefined) throw notFound(`${c.req.path} was not found.`);
    return sendAsset(c, file, DOCUMENT_ASSET.test(name) ? {} : SECURITY_HEADERS);
  });
}

function sendDocument(c: Context, file: PageFile | undefined): Response {
  if (file === undefined) throw notFound("The page was not built: run npm run build.");
  const tag = `"${createHash("sha1").update(file.body).digest("base64url")}"`;
  if (c.req.header("if-none-match")?.includes(tag)) return new Response(null, { status: 304 });
  const headers = { ...SECURITY_HEADERS, "cache-control": "no-cache", etag: tag };
  return sendFile({ type: file.type, body: file.body }, headers);
}

function acceptsHtml(request: HonoRequest): boolean {
  return request.header("accept")?.includes("text/html") ?? false;
}

function sendAsset(
  c: Context,
  { type, body, brotli }: PageFile,
  policies: Readonly<Record<string, string>>,
): Response {
  const takesBrotli = /\bbr\b/.test(c.req.header("accept-encoding") ?? "");
  const headers = { ...policies, "cache-control": IMMUTABLE_CACHE, vary: "Accept-Encoding" };
  if (brotli === undefined || !takesBrotli) return sendFile({ type, body }, headers);
  return sendFile({ type, body: brotli }, { ...headers, "content-encoding": "br" });
}

function sendFile(
  { type, body }: { type: string; body: Buffer | string },
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(typeof body === "string" ? body : new Uint8Array(body), {
    headers: { "content-type": type, ...headers },
  });
}
