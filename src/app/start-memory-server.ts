import { challenge, type Identity, isOAuthPath } from "../access/identity/index.ts";
import { noteServer } from "../access/index.ts";
import { checkDriver } from "../database/index.ts";
import type { MemoryStore } from "../memory/index.ts";
import {
  createGuardedApp,
  type HttpServer,
  type HttpSettings,
  type RequestLog,
  startHttpServer,
} from "../server/http/index.ts";
import { ServerMetrics } from "../server/metrics/index.ts";
import { isPageRequest } from "../server/page/index.ts";
import { operationsByRoute } from "../server/rest/index.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { messageOf } from "../shared/errors.ts";
import type { Logger } from "../shared/logger.ts";
import { type AgentOnPage, isAgentPath } from "./agent-on-page.ts";
import { DatabasePulse } from "./database-pulse.ts";
import { HEALTH, PROBES, requireOrder } from "./health-routes.ts";
import { addMemoryRoutes, METRICS } from "./memory-routes.ts";
import { quotasOf } from "./quotas-of.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { createAuthorizer } from "./who-is-let-in.ts";

export interface MemoryServerOptions {
  readonly store: MemoryStore;
  readonly settings: Pick<
    HttpSettings,
    "host" | "port" | "token" | "allowHost" | "allowOrigin" | "limits" | "ui"
  >;
  readonly version: string;
  readonly logger: Logger;
  readonly ofProcess?: boolean;
  readonly identity?: Identity | undefined;
  /** Records each request. */
  readonly requestLog?: RequestLog | undefined;
  /** The agent of this process, for the page. */
  readonly agent?: AgentOnPage;
  /** Certificate and key in PEM: it speaks https. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** By which the requests of a minute and the writes of a day are counted. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Gets the ready line. Default: stderr. */
  readonly announce?: (line: string) => void;
}

const WATCHED: readonly string[] = [HEALTH, METRICS];
/** How long requests that are being answered may take when the server stops; milliseconds. */
const GRACE_MS = 3_000;

/**
 * Serves memory: REST under `/api/v1`, MCP at `/mcp`, `/docs`, `/health` and `/metrics`, and the
 * page at `/ui/`. Throws what `startHttpServer` throws, and unavailable where the SQLite driver does
 * not load. The store stays open when the server closes.
 */
export async function startMemoryServer(options: MemoryServerOptions): Promise<HttpServer> {
  checkDriver();
  const { settings, logger, store, version, agent, identity, tls, requestLog } = options;
  const { clock = systemClock } = options;
  const { host, port, token, limits, ui } = settings;
  const door = { store, settings, isSecure: tls !== undefined, identity, logger };
  const { holders, guard, isReachable } = createAuthorizer(door);
  const metrics = new ServerMetrics({
    store,
    version,
    sessions: () => mcp.sessions.count,
    ofProcess: options.ofProcess === true,
  });
  const pulse = new DatabasePulse(store);
  const operations = operationsByRoute(store.operations);
  const app = createGuardedApp({
    guard,
    guardOf: ({ path }) => agent?.guardOf(path),
    logger,
    async onAnswer(answered) {
      metrics.observe(answered);
      pulse.recordResponse(answered);
      if (!PROBES.includes(answered.declared)) requestLog?.recordRequest(answered, operations);
    },
    async onArrival({ path }) {
      if (path === HEALTH) await requireOrder(pulse);
    },
    probes: PROBES,
    neededFor: ({ path }) =>
      path === METRICS ? "metrics" : isAgentPath(path) ? "approve" : "read",
    bodyBytes: limits.bodyBytes,
    requestsAtOnce: limits.requestsAtOnce,
    quotas: {
      of: quotasOf({
        ...{ store, limits, clock, logger },
        onRefusal: (limit) => metrics.refusedOver(limit),
      }),
      isCounted: ({ path }) => !WATCHED.includes(path),
    },
    isPublic: (request) => isOAuthPath(request.path) || (ui && isPageRequest(request)),
    ...(identity !== undefined && {
      challengeOf: (path, wasGiven) => challenge(identity.place.url, path, wasGiven),
    }),
  });
  const stopping = new AbortController();
  const mcp = addMemoryRoutes(app, {
    ...{ store, version, pulse, metrics, requestLog, logger, limits, ui, agent, identity },
    stopping: stopping.signal,
  });
  const isClosed = await holders.isClosed();
  if (
    identity === undefined &&
    isClosed &&
    token === undefined &&
    (await store.tokens.list()).length === 0
  ) {
    logger.warn(NOBODY_LEFT);
  }
  const server = await startHttpServer({
    app,
    host,
    port,
    tls,
    needsToken: token !== undefined || isClosed,
    onUpgrade:
      agent?.door.onUpgrade ?? ((request, socket) => void refuseUpgrade(guard, request, socket)),
    tokenCure:
      "make one with `cairn token create NAME --scope admin`, or set one with --token or CAIRN_TOKEN",
    command: "serve",
    ...(options.announce !== undefined && { announce: options.announce }),
  });
  const forget = isReachable
    ? await noteServer(store.tokens, (error) => {
        logger.warn(`That this server runs could not be noted: ${messageOf(error)}`);
      })
    : undefined;
  return {
    ...server,
    async close(graceMs = GRACE_MS) {
      stopping.abort();
      const closed = server.close(graceMs);
      await mcp.close(graceMs);
      await closed;
      identity?.close();
      await forget?.();
      await requestLog?.close();
    },
  };
}

const NOBODY_LEFT =
  "There was a token once, and none is left, so nobody can come in: make one with `cairn token create NAME`. `cairn token open` lets everybody in without one.";
