import type { Hono } from "hono";
import { addOAuthRoutes, type Identity } from "../access/identity/index.ts";
import { isDatabaseName, type MemoryStore } from "../memory/index.ts";
import {
  databaseParameter,
  getCaller,
  getQuery,
  type HttpEnv,
  type RequestLog,
  turnstile,
} from "../server/http/index.ts";
import { addMcpRoute, type McpCall } from "../server/mcp/index.ts";
import type { ServerMetrics } from "../server/metrics/index.ts";
import { addPageRoutes } from "../server/page/index.ts";
import { addRestRoutes } from "../server/rest/index.ts";
import { requireEveryDatabase } from "../shared/caller.ts";
import { invalidInput } from "../shared/errors.ts";
import type { Logger } from "../shared/logger.ts";
import type { AgentOnPage } from "./agent-on-page.ts";
import type { DatabasePulse } from "./database-pulse.ts";
import { addHealth, addProbes } from "./health-routes.ts";

export const METRICS = "/metrics";

interface Behind {
  readonly store: MemoryStore;
  readonly version: string;
  readonly pulse: DatabasePulse;
  readonly metrics: ServerMetrics;
  readonly requestLog: RequestLog | undefined;
  readonly logger: Logger;
  readonly bodyBytes: number;
  readonly agent: AgentOnPage | undefined;
  readonly identity: Identity | undefined;
  readonly stopping: AbortSignal;
}

/** Adds all routes. The caller closes the returned MCP route. */
export function addMemoryRoutes(
  app: Hono<HttpEnv>,
  behind: Behind,
): ReturnType<typeof addMcpRoute> {
  const { store, version, requestLog, logger, agent, identity, stopping, bodyBytes } = behind;
  addProbes(app, behind);
  refuseBadDatabases(app);
  addHealth(app, behind);
  app.use(turnstile());
  addMetrics(app, behind.metrics);
  addPageRoutes(app);
  agent?.addRoutes(app);
  if (identity !== undefined) addOAuthRoutes(app, identity);
  app.get("/", (c) => c.text(`cairn ${version}: page at /ui/, REST under /api/v1, MCP at /mcp.\n`));
  const timeoutMs = REQUEST_TIMEOUT_MS;
  addRestRoutes(app, { store, version, stopping, timeoutMs });
  const onCall =
    requestLog === undefined ? undefined : (call: McpCall) => requestLog.recordCall(call);
  return addMcpRoute(app, { store, version, logger, bodyBytes, timeoutMs, onCall });
}

/** Long enough for the slowest requests, such as a purge of a large memory. */
const REQUEST_TIMEOUT_MS = 300_000;

function addMetrics(app: Hono<HttpEnv>, metrics: ServerMetrics): void {
  app.get(METRICS, async (c) => {
    requireEveryDatabase(getCaller(c), METRICS);
    return c.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });
}

function refuseBadDatabases(app: Hono<HttpEnv>): void {
  app.use((c, next) => {
    const name = databaseParameter(getQuery(c.req.url));
    if (name !== undefined && !isDatabaseName(name)) {
      throw invalidInput(
        "db: must be 1 to 64 letters, digits, dots, underscores or hyphens, and start with a letter or digit",
      );
    }
    return next();
  });
}
