import type { Caller } from "../../shared/caller.ts";
import type { Stop } from "../../shared/deadline.ts";
import type { CallOptions } from "../memory.ts";
import type { Operation } from "./define-operation.ts";

/** A call on its way to the transaction. Each middleware may set fields for later ones. */
export interface Call {
  readonly operation: Operation;
  /** Replaced by the parsed value in the `validate` middleware. */
  input: unknown;
  options: Omit<CallOptions, "caller"> & { readonly caller: Caller };
  stop?: Stop;
  prepared?: unknown;
}

export type Next = () => Promise<unknown>;

export type Middleware = (call: Call, next: Next) => Promise<unknown>;

/** Runs the middleware in order, the first one outermost. The last one must not call `next`. */
export function runMiddleware(chain: readonly Middleware[], call: Call): Promise<unknown> {
  const runFrom = (index: number): Promise<unknown> => {
    const middleware = chain[index];
    if (middleware === undefined) throw new Error("The last middleware must answer the call.");
    return middleware(call, () => runFrom(index + 1));
  };
  return runFrom(0);
}
