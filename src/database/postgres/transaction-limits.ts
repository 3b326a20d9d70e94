import type { ConnectionPool } from "./connection-pool.ts";
import type { Beginning } from "./enter-database.ts";

/** The lock timeout is how long a writer waits for another one. */
const WRITE = "begin isolation level read committed; set local lock_timeout = '60s';";
/** The timeout is longer than a model needs for one claim. */
const CLAIM = `begin isolation level read committed;
  set local idle_in_transaction_session_timeout = '2min';`;

export const NO_STATEMENT_LIMIT = "set local statement_timeout = 0";

export function statementLimit({ settings }: ConnectionPool): string {
  return `set local statement_timeout = ${settings.statementTimeoutMs}`;
}

/** A writer may wait for the lock as long as that takes, so the statement timeout is set after it. */
export function writing(pool: ConnectionPool): Beginning {
  const { idleTransactionTimeoutMs } = pool.settings;
  return {
    begin: `${WRITE} set local idle_in_transaction_session_timeout = ${idleTransactionTimeoutMs};`,
    after: statementLimit(pool),
  };
}

export function claiming(pool: ConnectionPool): Beginning {
  return { begin: CLAIM, after: statementLimit(pool) };
}
