import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hono } from "hono";
import { compress } from "hono/compress";
import { notFound } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";
import type { HttpEnv } from "../http/index.ts";

const ASSETS = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
} as const;

type Asset = keyof typeof ASSETS;

/** Blocks connections to other servers. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Adds `/docs`: an API explorer for the OpenAPI document at `documentUrl`. */
export function addDocsRoute(app: Hono<HttpEnv>, documentUrl: string): void {
  app.get("/docs", () => text(PAGE, "text/html; charset=utf-8"));
  app.get("/docs/start.js", () => text(startScript(documentUrl), "text/javascript; charset=utf-8"));
  app.get("/docs/:asset", compress(), async (c) => {
    const name = c.req.param("asset");
    if (!isAsset(name)) throw notFound(`${c.req.path} was not found.`);
    return text(await readFile(join(assetFolder(), name), "utf8"), ASSETS[name]);
  });
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>cairn REST API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

function startScript(documentUrl: string): string {
  return `SwaggerUIBundle({ url: ${JSON.stringify(documentUrl)}, dom_id: "#reference", deepLinking: true, validatorUrl: null });\n`;
}

function isAsset(name: string): name is Asset {
  return Object.hasOwn(ASSETS, name);
}

function assetFolder(): string {
  const built = join(packageRoot(), "dist", "swagger-ui");
  return existsSync(built) ? built : join(packageRoot(), "node_modules", "swagger-ui-dist");
}

function text(body: string, contentType: string): Response {
  return new Response(body, {
    headers: {
      "content-type": contentType,
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    },
  });
}
