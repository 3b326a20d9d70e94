import type { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";
import { CairnError } from "../../shared/errors.ts";
import type { HttpEnv } from "./guard-middleware.ts";

export interface Budget {
  /** Most requests that are answered at the same time. */
  readonly requests: number;
  /** Most bytes of their bodies together. */
  readonly bytes: number;
}

interface Used {
  requests: number;
  bytes: number;
}

/**
 * Limits what one token has answered at the same time, so that nobody takes all of a server. Callers without
 * a token share one budget. Throws busy, which says to try again. A single request never exceeds the budget,
 * since its size has a limit of its own.
 */
export function callerBudget(budget: Budget, largestBody: number): MiddlewareHandler<HttpEnv> {
  const used = new Map<string, Used>();
  return async (c, next) => {
    const caller = c.get("caller");
    if (caller === undefined) return next();
    const name = caller.name ?? "";
    const one = { requests: 1, bytes: bytesOf(c.env?.incoming as IncomingMessage, largestBody) };
    const now = used.get(name) ?? { requests: 0, bytes: 0 };
    const isTooMuch = now.requests + 1 > budget.requests || now.bytes + one.bytes > budget.bytes;
    if (now.requests > 0 && isTooMuch) throw tooMuch(budget);
    used.set(name, { requests: now.requests + 1, bytes: now.bytes + one.bytes });
    try {
      return await next();
    } finally {
      giveBack(used, name, one);
    }
  };
}

function giveBack(used: Map<string, Used>, name: string, one: Used): void {
  const now = used.get(name) ?? one;
  const left = { requests: now.requests - one.requests, bytes: now.bytes - one.bytes };
  if (left.requests > 0) used.set(name, left);
  else used.delete(name);
}

/** A body without a declared length counts as the largest one. */
function bytesOf(message: IncomingMessage | undefined, largest: number): number {
  const { "content-length": length, "transfer-encoding": encoding } = message?.headers ?? {};
  return encoding === undefined ? Math.min(Number(length ?? 0), largest) : largest;
}

function tooMuch({ requests }: Budget): CairnError {
  return new CairnError(
    "busy",
    `More than ${requests} requests, or bodies that are too large together, are being answered for this token. Try again in a moment.`,
  );
}
