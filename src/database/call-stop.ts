import { connectionOf, withTimeLimit } from "./time-limit.ts";
import type { Tx } from "./tx.ts";

/** When a call is to end before it is done. */
export interface CallStop {
  readonly isOver: boolean;
}

/** What a statement ends with, instead of beginning, once the call that it belongs to is to end. */
export class CallStopped extends Error {
  constructor() {
    super("The call is to end.");
  }
}

const stops = new WeakMap<object, CallStop>();

/** Runs `body`, none of whose statements begins once the call is to end; long ones end, too. */
export async function withStop<T>(tx: Tx, stop: CallStop, body: () => Promise<T>): Promise<T> {
  const connection = connectionOf(tx);
  stops.set(connection, stop);
  try {
    return await withTimeLimit(tx, () => stop.isOver, body);
  } finally {
    stops.delete(connection);
  }
}

/** To be called before each statement of a connection. Throws `CallStopped`. */
export function requireNotStopped(connection: object): void {
  if (stops.get(connection)?.isOver === true) throw new CallStopped();
}
