import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "./guard-middleware.ts";

/**
 * Lets one request begin in each turn of the event loop, in the order of arrival. Node.js accepts
 * one new connection a turn: were all waiting requests answered in the same turn, those who connect
 * to a busy server would wait for seconds while those who are in are served again and again.
 */
export function turnstile(): MiddlewareHandler<HttpEnv> {
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
