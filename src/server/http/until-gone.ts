import type { Context } from "hono";
import type { HttpEnv } from "./guard-middleware.ts";

/**
 * Aborts when the client goes away before it has the whole answer. That of the `Request` would do so,
 * too, and is made with all of the request, which takes longer than to answer some.
 */
export function waitForDisconnect(c: Context<HttpEnv>): AbortSignal {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return c.req.raw.signal;
  const gone = new AbortController();
  if (isGone(c)) gone.abort();
  else {
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) gone.abort();
    });
  }
  return gone.signal;
}

/** True if the client went away before it had the whole answer. */
export function isGone(c: Context<HttpEnv>): boolean {
  const outgoing = c.env?.outgoing;
  if (outgoing === undefined) return c.req.raw.signal.aborted;
  return outgoing.closed && !outgoing.writableFinished;
}
