import type { Hono } from "hono";
import { noteServer, TokenHolders } from "../access/index.ts";
import { ofCall, ofRequest, type ServerAudit, watchOf } from "../audit/index.ts";
import { checkDriver } from "../database/index.ts";
import {
  callerOf,
  createGuardedApp,
  createRequestGuard,
  databaseParameter,
  type TokenHolders as Holders,
  type HttpEnv,
  type HttpServer,
  type HttpSettings,
  isReachableByOthers,
  logRequest,
  queryOf,
  startHttpServer,
  turnstile,
} from "../http/index.ts";
import {
  addOAuthRoutes,
  addScimRoutes,
  challenge,
  type Identity,
  isOAuthPath,
  isScimPath,
} from "../identity/index.ts";
import { requireEveryDatabase } from "../kernel/caller.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { invalidInput, messageOf } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { addMcpRoute, type McpCall } from "../mcp/index.ts";
import { isDatabaseName, type MemoryStore } from "../memory/index.ts";
import { ServerMetrics } from "../metrics/index.ts";
import { addPageRoutes, isPageRequest } from "../page-server/index.ts";
import { addRestRoutes, operationsByRoute } from "../rest/index.ts";
import type { AgentOnPage } from "./agent-on-page.ts";
import { DatabasePulse } from "./database-pulse.ts";
import { addHealth, addProbes, HEALTH, PROBES, requireOrder } from "./health-routes.ts";
import { quotasOf } from "./quotas-of.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";

export interface MemoryServerOptions {
  readonly store: MemoryStore;
  readonly settings: Pick<
    HttpSettings,
    "host" | "port" | "token" | "allowHost" | "allowOrigin" | "limits" | "ui" | "logRequests"
  >;
  readonly version: string;
  readonly logger: Logger;
  /** It has the process alone: what that takes is measured, too. */
  readonly ofProcess?: boolean;
  /** Where people log in with their company's account. */
  readonly identity?: Identity | undefined;
  /** Notes who asked for what. */
  readonly audit?: ServerAudit | undefined;
  /** The agent of this process, for the page. */
  readonly agent?: AgentOnPage;
  /** Certificate and key in PEM: it speaks https. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** By which the requests of a minute and the writes of a day are counted. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Gets the ready line. Default: stderr. */
  readonly announce?: (line: string) => void;
}

const METRICS = "/metrics";
/** Who watches the server, and the directory that says who is there, use up nobody's quota. */
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
  const { settings: given, logger, store, version, agent, identity, tls, audit } = options;
  const { clock = systemClock } = options;
  const settings = identity === undefined ? given : reachedAt(identity.place.url, given);
  const { host, port, token, limits, ui } = settings;
  const isSecure = tls !== undefined;
  const holders = holdersOf(
    new TokenHolders(store.tokens, (error) => {
      logger.warn(`That a token was used could not be noted: ${messageOf(error)}`);
    }),
    identity,
  );
  const guard = createRequestGuard({ ...settings, token, holders, isSecure });
  const scimToken = identity?.settings.scimToken;
  // The directory's token opens nothing else, and no other token the directory.
  const scimGuard =
    scimToken === undefined
      ? undefined
      : createRequestGuard({ ...settings, token: scimToken, isSecure });
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
    guardOf: ({ path }) => agent?.guardOf(path) ?? (isScimPath(path) ? scimGuard : undefined),
    logger,
    async onAnswer(answered) {
      metrics.observe(answered);
      if (settings.logRequests) logRequest(logger, answered);
      if (PROBES.includes(answered.declared)) return;
      await audit?.note(ofRequest(answered, operations));
    },
    async onArrival({ path }) {
      audit?.requireOrder();
      // Tokens lie where the databases do: nobody could be let in to be told this.
      if (path === HEALTH) await requireOrder(pulse);
    },
    probes: PROBES,
    neededFor: ({ path }) => (path === METRICS ? "metrics" : "read"),
    bodyBytes: limits.bodyBytes,
    requestsAtOnce: limits.requestsAtOnce,
    quotas: {
      of: quotasOf({
        ...{ store, limits, clock, logger },
        onRefusal: (limit) => metrics.refusedOver(limit),
      }),
      isCounted: ({ path }) => !WATCHED.includes(path) && !isScimPath(path),
    },
    isPublic: (request) => isOAuthPath(request.path) || (ui && isPageRequest(request)),
    ...(identity !== undefined && {
      challengeOf: (path, wasGiven) => challenge(identity.place.url, path, wasGiven),
    }),
  });
  const stopping = new AbortController();
  const watched = { store, version, pulse, audit, stopping: stopping.signal };
  addProbes(app, watched);
  refuseBadDatabases(app);
  addHealth(app, watched);
  app.use(turnstile());
  app.get(METRICS, async (c) => {
    requireEveryDatabase(callerOf(c), METRICS);
    return c.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });
  if (ui) addPageRoutes(app);
  agent?.addRoutes(app);
  if (identity !== undefined) addOAuthRoutes(app, identity);
  if (identity !== undefined && scimGuard !== undefined) addScimRoutes(app, identity);
  const page = ui ? " page at /ui/," : "";
  app.get("/", (c) =>
    c.text(`cairn ${version}:${page} REST under /api/v1, reference at /docs, MCP at /mcp.\n`),
  );
  const { bodyBytes, requestMs: timeoutMs } = limits;
  addRestRoutes(app, { store, version, stopping: stopping.signal, timeoutMs });
  const onCall = audit === undefined ? undefined : (call: McpCall) => audit.note(ofCall(call));
  const mcp = addMcpRoute(app, { store, version, logger, bodyBytes, timeoutMs, onCall });
  await audit?.started();
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
      agent?.door.onUpgrade ??
      ((request, socket) =>
        void refuseUpgrade(guard, { request, socket, watch: audit && watchOf(audit, "server") })),
    tokenCure:
      "make one with `cairn token create NAME --scope admin`, or set one with --token or CAIRN_TOKEN",
    command: "serve",
    ...(options.announce !== undefined && { announce: options.announce }),
  });
  const forget = isReachableByOthers(settings)
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
      await audit?.stopped();
    },
  };
}

/** Tokens of people and programs, and log-ins with the company's account. */
function holdersOf(tokens: TokenHolders, identity: Identity | undefined): Holders {
  if (identity === undefined) return tokens;
  return {
    isClosed: () => Promise.resolve(true),
    holderOf: (token, path) =>
      identity.isOurs(token) ? identity.holderOf(token, path) : tokens.holderOf(token),
  };
}

/** The address that people use is let in without saying so a second time. */
function reachedAt<Given extends Pick<HttpSettings, "allowHost" | "allowOrigin">>(
  url: string,
  given: Given,
): Given {
  const { host, origin } = new URL(url);
  return {
    ...given,
    allowHost: [...given.allowHost, host, host.replace(/:\d+$/, "")],
    allowOrigin: [...given.allowOrigin, origin],
  };
}

const NOBODY_LEFT =
  "There was a token once, and none is left, so nobody can come in: make one with `cairn token create NAME`. `cairn token open` lets everybody in without one.";

/** On every route, those that have no database included. */
function refuseBadDatabases(app: Hono<HttpEnv>): void {
  app.use((c, next) => {
    const name = databaseParameter(queryOf(c.req.url));
    if (name !== undefined && !isDatabaseName(name)) {
      throw invalidInput(
        "db: a database name is 1 to 64 letters, digits, dots, underscores or hyphens, and starts with a letter or digit",
      );
    }
    return next();
  });
}
