import type { Database as Connection } from "better-sqlite3";
import { type SQL, sql } from "drizzle-orm";
import { byEngine } from "./by-engine.ts";
import type { Tx } from "./tx.ts";

/** What a statement ends with whose time is up. */
class TimeIsUp extends Error {
  constructor() {
    super("The time of this read is up.");
  }
}

type IsLate = () => boolean;

/** Of the connections that read for somebody who waits no longer. */
const limits = new WeakMap<object, IsLate>();

/** Gives a connection the function that `inTime` calls. */
export function defineTimeLimit(connection: Connection): void {
  connection.function("in_time", (_row: unknown) => {
    if (limits.get(connection)?.() === true) throw new TimeIsUp();
    return 1;
  });
}

/**
 * Condition on the rows of a statement: it is asked for each, and ends the statement as soon as the
 * time of `withTimeLimit` is up. `row` is a column, without which it would be asked only once. Only
 * SQLite, whose statements hold up the process, is asked.
 */
export function inTime(row: SQL): SQL {
  return byEngine({ sqlite: sql`in_time(${row})`, postgres: sql`true` });
}

/** Runs `body`, whose statements end where they ask `inTime` and `isLate` holds. */
export async function withTimeLimit<T>(tx: Tx, isLate: IsLate, body: () => Promise<T>): Promise<T> {
  const connection = connectionOf(tx);
  const before = limits.get(connection);
  limits.set(connection, before === undefined ? isLate : () => isLate() || before());
  try {
    return await body();
  } finally {
    if (before === undefined) limits.delete(connection);
    else limits.set(connection, before);
  }
}

/** What a transaction asks its statements of. */
export function connectionOf(tx: Tx): object {
  return "$client" in tx && tx.$client instanceof Object ? tx.$client : tx;
}

/** The same between steps of a program. Throws what `isTimeUp` knows. */
export function requireTime(tx: Tx): void {
  if (limits.get(connectionOf(tx))?.() === true) throw new TimeIsUp();
}

/** Whether a statement was ended by its time limit. */
export function isTimeUp(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof TimeIsUp) return true;
  }
  return false;
}
