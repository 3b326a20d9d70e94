import type { HttpBindings } from "@hono/node-server";
import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { type AccessScope, type Caller, isSameCaller } from "../../shared/caller.ts";
import { invalidInput, isCairnError } from "../../shared/errors.ts";
import type { AskedFor } from "./asked-for.ts";
import { factsOf, type RequestFacts, type RequestGuard } from "./request-guard.ts";

/** What the server puts into `c.env`; absent when an app is called without one. */
export type HttpEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Absent on public routes. */
    caller?: Caller;
    known?: Caller;
    asked?: AskedFor;
    isStillLetIn?: () => Promise<boolean>;
    /** Counts what one HTTP request asks for beyond the first. Throws OverLimit. */
    countRequests?: (requests: number) => Promise<void>;
  };
};

const CORS_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const CORS_EXPOSED = "ETag, Retry-After, Mcp-Session-Id, Cairn-Change, Cairn-Seq";

/** Codes with which the guard refuses a caller, whatever else is wrong with the request. */
const REFUSED: ReadonlySet<string> = new Set(["unauthorized", "forbidden"]);

interface Exceptions {
  readonly isPublic: (request: HonoRequest) => boolean;
  readonly probes: readonly string[];
  readonly neededFor: (request: HonoRequest) => AccessScope;
  readonly onArrival: ((request: HonoRequest) => Promise<void>) | undefined;
}

/**
 * Guards every route and answers preflights, but only of origins that a flag allowed. Public routes need no
 * token but are also refused to other hosts and origins.
 */
export function guardMiddleware(
  guardOf: (request: HonoRequest) => RequestGuard,
  { isPublic, onArrival, probes, neededFor }: Exceptions,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    // A probe addresses the machine without a secret and learns nothing but a status.
    if (probes.includes(c.req.path)) return next();
    requireOneHost(c);
    const guard = guardOf(c.req);
    const facts = contextFacts(c);
    const isAllowed = guard.isAllowedByFlag(facts.origin);
    if (isAllowed && isPreflight(c)) {
      guard.checkSource(facts);
      return preflightResponse(c, facts.origin ?? "");
    }
    if (isAllowed) allowReading(c, facts.origin ?? "");
    guard.checkSource(facts);
    await onArrival?.(c.req);
    if (!isPublic(c.req)) {
      const needed = neededFor(c.req);
      const caller = await guard.check(facts, needed, (known) => c.set("known", known));
      c.set("caller", caller);
      c.set("isStillLetIn", () => authorizeRequest(() => guard.check(facts, needed), caller));
    }
    return next();
  };
}

/** RFC 9112, section 3.2: which of two is meant, every program in between decides for itself. */
function requireOneHost(c: Context<HttpEnv>): void {
  const { rawHeaders = [] } = c.env?.incoming ?? {};
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host");
  if (hosts.length > 1) throw invalidInput("Host: must be sent once.");
}

/** The caller whom the guard let in. */
export function callerOf(c: Context<HttpEnv>): Caller {
  const caller = c.get("caller");
  if (caller === undefined) throw new Error(`${c.req.path} is public: nobody in particular asks.`);
  return caller;
}

/**
 * True if the guard would still let the caller in, for answers that go on after a token was
 * revoked. If that
 * cannot be looked up, the caller stays.
 */
export async function isStillAuthorized(c: Context<HttpEnv>): Promise<boolean> {
  return (await c.get("isStillLetIn")?.()) ?? true;
}

/** True if a check still lets in the same caller. If that cannot be looked up, the caller stays. */
export async function authorizeRequest(check: () => Promise<Caller>, as: Caller): Promise<boolean> {
  try {
    return isSameCaller(await check(), as);
  } catch (error) {
    return !(isCairnError(error) && REFUSED.has(error.code));
  }
}

function contextFacts(c: Context<HttpEnv>): RequestFacts {
  if (c.env?.incoming !== undefined) return factsOf(c.env.incoming);
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

/** Set before the guard's other checks, so that the page can read why it was refused. */
function allowReading(c: Context, origin: string): void {
  c.res.headers.set("Access-Control-Allow-Origin", origin);
  c.res.headers.set("Access-Control-Expose-Headers", CORS_EXPOSED);
  c.res.headers.append("Vary", "Origin");
}

function preflightResponse(c: Context, origin: string): Response {
  allowReading(c, origin);
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
