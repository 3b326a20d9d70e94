import type { Caller } from "../../shared/caller.ts";
import type { Stop } from "../../shared/deadline.ts";
import type { CallOptions } from "../memory.ts";
import type { Operation } from "./define-operation.ts";

/** A call of an operation on its way to the transaction. Each middleware may set fields for those behind it. */
export interface Call {
  readonly operation: Operation;
  /** The `validate` middleware replaces the given value by what the operation's schema returns. */
  input: unknown;
  options: Omit<CallOptions, "caller"> & { readonly caller: Caller };
  /** Set by the deadline. */
  stop?: Stop;
  /** Result of the operation's `prepare`. */
  prepared?: unknown;
}

export type Next = () => Promise<unknown>;

/** Does its part of a call and returns the result of `next`, or ends the call with a result or an error of its own. */
export type Middleware = (call: Call, next: Next) => Promise<unknown>;

/** Runs the middleware in order, the first one outermost. The last one must not call `next`. */
export function runMiddleware(chain: readonly Middleware[], call: Call): Promise<unknown> {
  const runFrom = (place: number): Promise<unknown> => {
    const middleware = chain[place];
    if (middleware === undefined) throw new Error("The last middleware must answer the call.");
    return middleware(call, () => runFrom(place + 1));
  };
  return runFrom(0);
}
