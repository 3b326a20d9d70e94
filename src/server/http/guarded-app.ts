import type { IncomingMessage } from "node:http";
import { Hono, type HonoRequest, type MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { AccessScope } from "../../shared/caller.ts";
import { CairnError, notFound } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { bufferBodies } from "./buffer-bodies.ts";
import { errorResponse } from "./error-response.ts";
import {
  type CallerQuotas,
  countCallers,
  guardMiddleware,
  type HttpEnv,
  isDisconnected,
} from "./guard-middleware.ts";
import { type ObservedResponse, observeResponses } from "./observe-responses.ts";
import type { RequestGuard } from "./request-guard.ts";

export interface GuardedAppOptions {
  readonly guard: RequestGuard;
  readonly guardOf?: ((request: HonoRequest) => RequestGuard | undefined) | undefined;
  readonly bodyBytes: number;
  /** Maximum concurrent requests per token. Default: 256. */
  readonly requestsAtOnce?: number;
  readonly quotas?: {
    readonly of: CallerQuotas;
    readonly isCounted: (request: HonoRequest) => boolean;
  };
  readonly logger: Logger;
  /** True if the response is public, so no token is needed. */
  readonly isPublic?: (request: HonoRequest) => boolean;
  /** Throws to reject a request before the token lookup. */
  readonly onArrival?: (request: HonoRequest) => Promise<void>;
  /** Paths allowed under any Host, since their responses have no content. */
  readonly probes?: readonly string[];
  readonly neededFor?: (request: HonoRequest) => AccessScope;
  /** `WWW-Authenticate` value for rejected requests, if any. */
  readonly challengeOf?: (path: string, hasToken: boolean) => string | undefined;
  readonly onAnswer?: (answered: ObservedResponse) => void | Promise<void>;
}

const MAX_CONCURRENT_REQUESTS = 256;
/** Maximum concurrent bodies of the largest size per token. */
const MAX_LARGE_BODIES = 16;

export function createGuardedApp(options: GuardedAppOptions): Hono<HttpEnv> {
  const { guard, bodyBytes, logger, isPublic = () => false, onArrival, onAnswer } = options;
  const { probes = [], neededFor = () => "read", guardOf = () => undefined } = options;
  const { challengeOf = () => undefined } = options;
  const app = new Hono<HttpEnv>();
  if (onAnswer !== undefined) app.use(observeResponses(onAnswer));
  app.use(async (c, next) => {
    await next();
    c.res.headers.set("x-content-type-options", "nosniff");
    // Keeps other sites from loading anything, even images they cannot read.
    c.res.headers.set("cross-origin-resource-policy", "same-origin");
    if (c.res.status !== 401) return;
    const challenge = challengeOf(c.req.path, c.req.header("authorization") !== undefined);
    if (challenge !== undefined) c.res.headers.set("www-authenticate", challenge);
  });
  app.use(
    guardMiddleware((request) => guardOf(request) ?? guard, {
      isPublic,
      onArrival,
      probes,
      neededFor,
    }),
  );
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const allowed = methods.join(", ");
        const message = `${c.req.method} is not allowed for ${c.req.path}. Use ${allowed}.`;
        const response = errorResponse(new CairnError("method_not_allowed", message));
        response.headers.set("allow", allowed);
        return response;
      },
    }),
  );
  const { requestsAtOnce = MAX_CONCURRENT_REQUESTS, quotas } = options;
  if (quotas !== undefined) app.use(countCallers(quotas.of, quotas.isCounted));
  const budget = { requests: requestsAtOnce, bytes: MAX_LARGE_BODIES * bodyBytes };
  app.use(callerBudget(budget, bodyBytes));
  app.use(bufferBodies(bodyBytes));
  app.notFound((c) => errorResponse(notFound(`${c.req.path} was not found.`)));
  app.onError((error, c) => {
    // A client that disconnects while sending is not an error.
    if (isDisconnected(c)) return errorResponse(new CairnError("unavailable", "Gone."));
    return errorResponse(error, logger);
  });
  return app;
}

interface Budget {
  readonly requests: number;
  readonly bytes: number;
}

interface BudgetUse {
  requests: number;
  bytes: number;
}

/**
 * Limits concurrent requests per token; callers without a token share a budget. Throws busy. A
 * single request always fits.
 */
export function callerBudget(budget: Budget, largestBody: number): MiddlewareHandler<HttpEnv> {
  const used = new Map<string, BudgetUse>();
  return async (c, next) => {
    const caller = c.get("caller");
    if (caller === undefined) return next();
    const name = caller.name ?? "";
    const one = {
      requests: 1,
      bytes: expectedBytes(c.env?.incoming as IncomingMessage, largestBody),
    };
    const now = used.get(name) ?? { requests: 0, bytes: 0 };
    const isTooMuch = now.requests + 1 > budget.requests || now.bytes + one.bytes > budget.bytes;
    if (now.requests > 0 && isTooMuch) throw overBudgetError(budget);
    used.set(name, { requests: now.requests + 1, bytes: now.bytes + one.bytes });
    try {
      return await next();
    } finally {
      restoreBody(used, name, one);
    }
  };
}

function restoreBody(used: Map<string, BudgetUse>, name: string, one: BudgetUse): void {
  const now = used.get(name) ?? one;
  const remaining = { requests: now.requests - one.requests, bytes: now.bytes - one.bytes };
  if (remaining.requests > 0) used.set(name, remaining);
  else used.delete(name);
}

/** Bodies without a declared length count as the largest size. */
function expectedBytes(message: IncomingMessage | undefined, largest: number): number {
  const { "content-length": length, "transfer-encoding": encoding } = message?.headers ?? {};
  return encoding === undefined ? Math.min(Number(length ?? 0), largest) : largest;
}

function overBudgetError({ requests }: Budget): CairnError {
  return new CairnError(
    "busy",
    `This token has more than ${requests} concurrent requests or too much request data in flight. Try again in a moment.`,
  );
}
