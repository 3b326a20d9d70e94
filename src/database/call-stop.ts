import { connectionOf, withTimeLimit } from "./time-limit.ts";
import type { Tx } from "./tx.ts";

/** Tells when a call must end before it is done. */
export interface CallStop {
  readonly isOver: boolean;
}

/** The error of a statement that does not begin because its call must end. */
export class CallStopped extends Error {
  constructor() {
    super("The call is to end.");
  }
}

const stops = new WeakMap<object, CallStop>();

/** Runs `body`. Once the call must end, no further statement begins and long ones are ended. */
export async function withStop<T>(tx: Tx, stop: CallStop, body: () => Promise<T>): Promise<T> {
  const connection = connectionOf(tx);
  stops.set(connection, stop);
  try {
    return await withTimeLimit(tx, () => stop.isOver, body);
  } finally {
    stops.delete(connection);
  }
}

/** Call this before each statement of a connection. Throws `CallStopped`. */
export function requireNotStopped(connection: object): void {
  if (stops.get(connection)?.isOver === true) throw new CallStopped();
}
