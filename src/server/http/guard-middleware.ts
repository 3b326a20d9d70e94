import type { HttpBindings } from "@hono/node-server";
import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { type AccessScope, type Caller, isSameCaller, OverLimit } from "../../shared/caller.ts";
import { type Clock, systemClock } from "../../shared/clock.ts";
import { invalidInput, isCairnError } from "../../shared/errors.ts";
import { type RequestFacts, type RequestGuard, readRequestFacts } from "./request-guard.ts";
import type { RequestMetadata } from "./request-metadata.ts";

/** Server values in `c.env`; absent if the app is called without a server. */
export type HttpEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: {
    caller?: Caller;
    known?: Caller;
    metadata?: RequestMetadata;
    isStillAuthorized?: () => Promise<boolean>;
    /** Counts operations of one HTTP request beyond the first. Throws OverLimit. */
    countRequests?: (requests: number) => void;
  };
};

const CORS_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const CORS_EXPOSED = "ETag, Retry-After, Mcp-Session-Id, Cairn-Change";

/** Codes that take precedence over other errors. */
const REFUSAL_CODES: ReadonlySet<string> = new Set(["unauthorized", "forbidden"]);

interface Exceptions {
  readonly isPublic: (request: HonoRequest) => boolean;
  readonly probes: readonly string[];
  readonly neededFor: (request: HonoRequest) => AccessScope;
  readonly onArrival: ((request: HonoRequest) => Promise<void>) | undefined;
}

/**
 * Guards every route. Answers preflights only for origins allowed by a flag. Public routes need no
 * token but still check Host and Origin.
 */
export function guardMiddleware(
  getGuard: (request: HonoRequest) => RequestGuard,
  { isPublic, onArrival, probes, neededFor }: Exceptions,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    // Probes send no token and learn only a status.
    if (probes.includes(c.req.path)) return next();
    requireOneHost(c);
    const guard = getGuard(c.req);
    const facts = readContextFacts(c);
    const isAllowed = guard.isAllowedByFlag(facts.origin);
    if (isAllowed && isPreflight(c)) {
      guard.checkSource(facts);
      return preflightResponse(c, facts.origin ?? "");
    }
    if (isAllowed) addCorsHeaders(c, facts.origin ?? "");
    guard.checkSource(facts);
    await onArrival?.(c.req);
    if (!isPublic(c.req)) {
      const needed = neededFor(c.req);
      const caller = await guard.check(facts, needed, (known) => c.set("known", known));
      c.set("caller", caller);
      c.set("isStillAuthorized", () => authorizeRequest(() => guard.check(facts, needed), caller));
    }
    return next();
  };
}

/** RFC 9112, section 3.2: intermediaries disagree on which of two Host headers counts. */
function requireOneHost(c: Context<HttpEnv>): void {
  const { rawHeaders = [] } = c.env?.incoming ?? {};
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host");
  if (hosts.length > 1) throw invalidInput("Host: must be sent once.");
}

export function getCaller(c: Context<HttpEnv>): Caller {
  const caller = c.get("caller");
  if (caller === undefined) throw new Error(`${c.req.path} is public and has no caller.`);
  return caller;
}

/**
 * Rechecks a long response's token, which may be revoked meanwhile. A failed lookup counts as
 * authorized.
 */
export async function isStillAuthorized(c: Context<HttpEnv>): Promise<boolean> {
  return (await c.get("isStillAuthorized")?.()) ?? true;
}

export async function authorizeRequest(check: () => Promise<Caller>, as: Caller): Promise<boolean> {
  try {
    return isSameCaller(await check(), as);
  } catch (error) {
    return !(isCairnError(error) && REFUSAL_CODES.has(error.code));
  }
}

function readContextFacts(c: Context<HttpEnv>): RequestFacts {
  if (c.env?.incoming !== undefined) return readRequestFacts(c.env.incoming);
  return {
    host: c.req.header("host"),
    origin: c.req.header("origin"),
    fetchSite: c.req.header("sec-fetch-site"),
    fetchMode: c.req.header("sec-fetch-mode"),
    authorization: c.req.header("authorization"),
    path: c.req.path,
    localPort: undefined,
  };
}

function isPreflight(c: Context): boolean {
  return c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;
}

/** Set first, so that the page can read why it was rejected. */
function addCorsHeaders(c: Context, origin: string): void {
  c.res.headers.set("Access-Control-Allow-Origin", origin);
  c.res.headers.set("Access-Control-Expose-Headers", CORS_EXPOSED);
  c.res.headers.append("Vary", "Origin");
}

function preflightResponse(c: Context, origin: string): Response {
  addCorsHeaders(c, origin);
  c.header("Access-Control-Allow-Methods", CORS_METHODS);
  c.header(
    "Access-Control-Allow-Headers",
    c.req.header("access-control-request-headers") ?? "Authorization, Content-Type",
  );
  c.header("Access-Control-Max-Age", "600");
  if (c.req.header("access-control-request-private-network") === "true") {
    c.header("Access-Control-Allow-Private-Network", "true");
  }
  return c.body(null, 204);
}

/**
 * Admits one request per event-loop turn, in order of arrival. Node.js accepts one connection per
 * turn, so new clients would otherwise wait for seconds on a busy server.
 */
export function createTurnstile(): MiddlewareHandler<HttpEnv> {
  const waiting: (() => void)[] = [];
  const admit = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(admit);
  };
  return async (_c, next) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(admit);
    });
    return next();
  };
}

/**
 * Aborts when the client disconnects early. Cheaper than creating a full `Request` for its signal.
 */
export function waitForDisconnect(c: Context<HttpEnv>): AbortSignal {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return c.req.raw.signal;
  const disconnected = new AbortController();
  if (isDisconnected(c)) disconnected.abort();
  else {
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) disconnected.abort();
    });
  }
  return disconnected.signal;
}

export function isDisconnected(c: Context<HttpEnv>): boolean {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return c.req.raw.signal.aborted;
  return outgoing.closed && !outgoing.writableFinished;
}

interface QuotasOptions {
  readonly requestsPerMinute: number | undefined;
  readonly clock?: Clock | undefined;
  readonly onRefusal?: (() => void) | undefined;
}

const MINUTE_MS = 60_000;

/** Counts requests per minute by token and user. Anonymous callers share a quota. */
export class CallerQuotas {
  readonly #requestsPerMinute: number | undefined;
  readonly #clock: Clock;
  readonly #onRefusal: () => void;
  #minute = 0;
  #counts = new Map<string, number>();

  constructor({ requestsPerMinute, clock = systemClock, onRefusal }: QuotasOptions) {
    this.#requestsPerMinute = requestsPerMinute;
    this.#clock = clock;
    this.#onRefusal = onRefusal ?? (() => undefined);
  }

  /** Throws OverLimit without counting. */
  count({ name, requestsPerMinute }: Caller, requests: number): void {
    const most = requestsPerMinute ?? this.#requestsPerMinute;
    if (most === undefined) return;
    const now = this.#clock.now().getTime();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute > this.#minute) {
      this.#minute = minute;
      this.#counts = new Map();
    }
    const key = name?.toLowerCase() ?? "";
    const count = (this.#counts.get(key) ?? 0) + requests;
    if (count <= most) {
      this.#counts.set(key, count);
      return;
    }
    this.#onRefusal();
    const left = most - count + requests;
    const retryAfter = Math.ceil(((this.#minute + 1) * MINUTE_MS - now) / 1_000);
    const remaining = left > 0 ? ` (${left} left, ${requests} requested)` : "";
    const override =
      name === undefined
        ? ""
        : ", or create a token with its own limit: cairn token create NAME --requests-per-minute N";
    throw new OverLimit(
      `Limit of ${most} requests per minute exceeded for ${name ?? "callers without a token"}${remaining}. Retry in ${retryAfter} s. The operator can raise limits.requestsPerMinute${override}.`,
      { most, retryAfter },
    );
  }
}

/** Counts each authenticated request. */
export function countCallers(
  quotas: CallerQuotas,
  isCounted: (request: HonoRequest) => boolean,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const caller = c.get("caller");
    if (caller === undefined || !isCounted(c.req)) return next();
    const countRequests = (requests: number) => quotas.count(caller, requests);
    countRequests(1);
    c.set("countRequests", countRequests);
    return next();
  };
}
