import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import { addOAuthRoutes, challenge, type Identity, isOAuthPath } from "../access/identity/index.ts";
import { registerServer, TokenHolders } from "../access/index.ts";
import { checkDriver } from "../database/index.ts";
import { isDatabaseName, type MemoryStore } from "../memory/index.ts";
import {
  CallerQuotas,
  createGuardedApp,
  createRequestGuard,
  createTurnstile,
  databaseParameter,
  getCaller,
  type TokenHolders as Holders,
  type HttpEnv,
  type HttpServer,
  type HttpSettings,
  isReachableByOthers,
  parseQuery,
  type RequestGuard,
  type RequestLog,
  readRequestFacts,
  rejectSocket,
  startHttpServer,
  TRANSFER_LIMITS,
} from "../server/http/index.ts";
import { addMcpRoute, type McpCall } from "../server/mcp/index.ts";
import { ServerMetrics } from "../server/metrics/index.ts";
import { addPageRoutes, isPageRequest } from "../server/page/index.ts";
import { addRestRoutes, operationsByRoute } from "../server/rest/index.ts";
import { mayOpen, requireEveryDatabase } from "../shared/caller.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { CairnError, invalidInput, isCairnError, messageOf } from "../shared/errors.ts";
import type { Logger } from "../shared/logger.ts";
import { DatabasePulse } from "./database-pulse.ts";
import { isAgentPath, type PageAgent } from "./page-agent.ts";

const HEALTH_PATH = "/health";
const LIVE_PATH = `${HEALTH_PATH}/live`;
const READY_PATH = `${HEALTH_PATH}/ready`;
const PROBE_PATHS: readonly string[] = [LIVE_PATH, READY_PATH];

interface HealthSources {
  readonly store: MemoryStore;
  readonly version: string;
  readonly pulse: DatabasePulse;
  readonly agent: PageAgent | undefined;
  readonly stopping: AbortSignal;
}

function addProbes(app: Hono<HttpEnv>, { pulse, stopping }: HealthSources): void {
  app.get(LIVE_PATH, (c) => c.body(null, 200));
  app.get(READY_PATH, async (c) => {
    const isReady = !stopping.aborted && (await pulse.isReady());
    return c.body(null, isReady ? 200 : 503);
  });
}

function addHealth(app: Hono<HttpEnv>, watched: HealthSources): void {
  const { store, version, stopping, agent } = watched;
  app.get(HEALTH_PATH, (c) => {
    if (stopping.aborted) throw new CairnError("unavailable", "The server is stopping.");
    const { defaultDatabase: database, isReadOnly: read_only } = store;
    return c.json({
      ok: true,
      version,
      ...(mayOpen(getCaller(c), database) && { database }),
      database_state: "ok",
      read_only,
      ...(agent !== undefined && { agent: true }),
    });
  });
}

async function requireOrder(pulse: DatabasePulse): Promise<void> {
  const { state, message } = await pulse.status();
  if (state === "ok") return;
  throw new CairnError("unavailable", message, { database_state: state });
}

const METRICS_PATH = "/metrics";

interface RouteServices {
  readonly store: MemoryStore;
  readonly version: string;
  readonly pulse: DatabasePulse;
  readonly metrics: ServerMetrics;
  readonly requestLog: RequestLog | undefined;
  readonly logger: Logger;
  readonly bodyBytes: number;
  readonly agent: PageAgent | undefined;
  readonly identity: Identity | undefined;
  readonly stopping: AbortSignal;
}

/** Adds all routes. The caller closes the returned MCP route. */
function addMemoryRoutes(
  app: Hono<HttpEnv>,
  behind: RouteServices,
): ReturnType<typeof addMcpRoute> {
  const { store, version, requestLog, logger, agent, identity, stopping, bodyBytes } = behind;
  addProbes(app, behind);
  refuseBadDatabases(app);
  addHealth(app, behind);
  app.use(createTurnstile());
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
  app.get(METRICS_PATH, async (c) => {
    requireEveryDatabase(getCaller(c), METRICS_PATH);
    return c.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });
}

function refuseBadDatabases(app: Hono<HttpEnv>): void {
  app.use((c, next) => {
    const name = databaseParameter(parseQuery(c.req.url));
    if (name !== undefined && !isDatabaseName(name)) {
      throw invalidInput(
        "db: must be 1 to 64 letters, digits, dots, underscores or hyphens, and start with a letter or digit",
      );
    }
    return next();
  });
}

export interface MemoryServerOptions {
  readonly store: MemoryStore;
  readonly settings: Pick<
    HttpSettings,
    "host" | "port" | "token" | "allowHost" | "allowOrigin" | "limits"
  >;
  readonly version: string;
  readonly logger: Logger;
  readonly ofProcess?: boolean;
  readonly identity?: Identity | undefined;
  readonly requestLog?: RequestLog | undefined;
  readonly agent?: PageAgent;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Clock for rate limits; defaults to the system clock. */
  readonly clock?: Clock | undefined;
  readonly bodyBytes?: number | undefined;
  readonly announce?: (line: string) => void;
}

const MONITORED_PATHS: readonly string[] = [HEALTH_PATH, METRICS_PATH];
/** Milliseconds for running requests on shutdown. */
const GRACE_MS = 3_000;

/**
 * Serves REST under `/api/v1`, MCP at `/mcp`, `/health`, `/metrics` and the page at
 * `/ui/`. Throws the errors of `startHttpServer`, and unavailable if the SQLite driver fails to
 * load. Leaves the store open.
 */
export async function startMemoryServer(options: MemoryServerOptions): Promise<HttpServer> {
  checkDriver();
  const { settings, logger, store, version, agent, identity, tls, requestLog } = options;
  const { clock = systemClock, bodyBytes = TRANSFER_LIMITS.bodyBytes } = options;
  const { host, port, token, limits } = settings;
  const serverOptions = { store, settings, isSecure: tls !== undefined, identity, logger };
  const { holders, guard, isReachable } = createAuthorizer(serverOptions);
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
      if (!PROBE_PATHS.includes(answered.declared)) requestLog?.recordRequest(answered, operations);
    },
    async onArrival({ path }) {
      if (path === HEALTH_PATH) await requireOrder(pulse);
    },
    probes: PROBE_PATHS,
    neededFor: ({ path }) =>
      path === METRICS_PATH ? "metrics" : isAgentPath(path) ? "approve" : "read",
    bodyBytes,
    quotas: {
      of: new CallerQuotas({
        requestsPerMinute: limits.requestsPerMinute,
        clock,
        onRefusal: () => metrics.countOverLimit(),
      }),
      isCounted: ({ path }) => !MONITORED_PATHS.includes(path),
    },
    isPublic: (request) => isOAuthPath(request.path) || isPageRequest(request),
    ...(identity !== undefined && {
      challengeOf: (path, hasToken) => challenge(identity.endpoints.url, path, hasToken),
    }),
  });
  const stopping = new AbortController();
  const mcp = addMemoryRoutes(app, {
    ...{ store, version, pulse, metrics, requestLog, logger, bodyBytes, agent, identity },
    stopping: stopping.signal,
  });
  const isClosed = await holders.isClosed();
  if (
    identity === undefined &&
    isClosed &&
    token === undefined &&
    (await store.tokens.list()).length === 0
  ) {
    logger.warn(NO_TOKENS_WARNING);
  }
  const server = await startHttpServer({
    app,
    host,
    port,
    tls,
    needsToken: token !== undefined || isClosed,
    onUpgrade:
      agent?.gateway.onUpgrade ?? ((request, socket) => void rejectUpgrade(guard, request, socket)),
    tokenCure:
      "create one with `cairn token create NAME --scope admin`, or set one with --token or CAIRN_TOKEN",
    command: "serve",
    ...(options.announce !== undefined && { announce: options.announce }),
  });
  const forget = isReachable
    ? await registerServer(store.tokens, (error) => {
        logger.warn(`This server could not be registered: ${messageOf(error)}`);
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

const NO_TOKENS_WARNING =
  "All tokens were revoked, so every request is rejected. Create one with `cairn token create NAME`, or run `cairn token open` to allow access without a token.";

async function rejectUpgrade(
  guard: RequestGuard,
  request: IncomingMessage,
  socket: Duplex,
): Promise<void> {
  const other = invalidInput("This server supports HTTP/1.1 only.");
  const error = await guard.check(readRequestFacts(request)).then(
    () => other,
    (refusal: unknown) => (isCairnError(refusal) ? refusal : other),
  );
  rejectSocket(socket, error);
}

type GuardSettings = Pick<HttpSettings, "host" | "port" | "token" | "allowHost" | "allowOrigin">;

interface AuthorizerOptions {
  readonly store: MemoryStore;
  readonly settings: GuardSettings;
  readonly isSecure: boolean;
  readonly identity: Identity | undefined;
  readonly logger: Logger;
}

interface Authorizer {
  readonly holders: Holders;
  readonly guard: RequestGuard;
  readonly isReachable: boolean;
}

function createAuthorizer({
  store,
  settings,
  isSecure,
  identity,
  logger,
}: AuthorizerOptions): Authorizer {
  const tokens = new TokenHolders(store.tokens, (error) => {
    logger.warn(`The use of a token could not be recorded: ${messageOf(error)}`);
  });
  const holders = createHolders(tokens, identity);
  const reached =
    identity === undefined ? settings : publicAddress(identity.endpoints.url, settings);
  return {
    holders,
    guard: createRequestGuard({ ...reached, holders, isSecure }),
    isReachable: isReachableByOthers(reached),
  };
}

function createHolders(tokens: TokenHolders, identity: Identity | undefined): Holders {
  if (identity === undefined) return tokens;
  return {
    isClosed: () => Promise.resolve(true),
    holderOf: (token, path) =>
      identity.mayVerify(token) ? identity.holderOf(token, path) : tokens.holderOf(token),
  };
}

function publicAddress<Settings extends Pick<HttpSettings, "allowHost" | "allowOrigin">>(
  url: string,
  input: Settings,
): Settings {
  const { host, origin } = new URL(url);
  return {
    ...input,
    allowHost: [...input.allowHost, host, host.replace(/:\d+$/, "")],
    allowOrigin: [...input.allowOrigin, origin],
  };
}
