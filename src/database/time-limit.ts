import type { Database as Connection } from "better-sqlite3";
import { type SQL, sql } from "drizzle-orm";
import { causesOf } from "../shared/errors.ts";
import type { Tx } from "./database.ts";
import { selectByEngine } from "./select-by-engine.ts";

class TimeLimitExceeded extends Error {
  constructor() {
    super("The time limit of this read is reached.");
  }
}

type IsLate = () => boolean;

/** Time limits of connections, which may overlap. */
const limits = new WeakMap<object, Set<IsLate>>();

const isOver = (connection: object) => {
  for (const isLate of limits.get(connection) ?? []) if (isLate()) return true;
  return false;
};

export function defineTimeLimit(connection: Connection): void {
  connection.function("in_time", (_row: unknown) => {
    if (isOver(connection)) throw new TimeLimitExceeded();
    return 1;
  });
}

/**
 * SQL condition that ends the statement at the limit of `withTimeLimit`, evaluated per row. `row`
 * must be a column, or it would be evaluated only once. Needed only by SQLite, whose statements
 * block the process.
 */
export function withinTime(row: SQL): SQL {
  return selectByEngine({ sqlite: sql`in_time(${row})`, postgres: sql`true` });
}

/** Runs `body`. Statements with `inTime` end once `isLate` returns true. */
export async function withTimeLimit<T>(tx: Tx, isLate: IsLate, body: () => Promise<T>): Promise<T> {
  const connection = getConnection(tx);
  const stored = limits.get(connection) ?? new Set();
  limits.set(connection, stored);
  const isThisLate = () => isLate();
  stored.add(isThisLate);
  try {
    return await body();
  } finally {
    stored.delete(isThisLate);
  }
}

export function getConnection(tx: Tx): object {
  return "$client" in tx && tx.$client instanceof Object ? tx.$client : tx;
}

/** Checks the time limit between steps. Throws an error recognized by `isTimeUp`. */
export function requireTime(tx: Tx): void {
  if (isOver(getConnection(tx))) throw new TimeLimitExceeded();
}

export function isTimeUp(error: unknown): boolean {
  for (const inner of causesOf(error)) {
    if (inner instanceof TimeLimitExceeded) return true;
  }
  return false;
}

export interface CallStop {
  readonly isOver: boolean;
}

class CallStopped extends Error {
  constructor() {
    super("The call was stopped.");
  }
}

const stops = new WeakMap<object, CallStop>();

/** Once the call must end, no further statement begins and long ones are interrupted. */
export async function runWithStop<T>(tx: Tx, stop: CallStop, body: () => Promise<T>): Promise<T> {
  const connection = getConnection(tx);
  stops.set(connection, stop);
  try {
    return await withTimeLimit(tx, () => stop.isOver, body);
  } finally {
    stops.delete(connection);
  }
}

/** Must be called before each statement of a connection. Throws `CallStopped`. */
export function requireNotStopped(connection: object): void {
  if (stops.get(connection)?.isOver === true) throw new CallStopped();
}
