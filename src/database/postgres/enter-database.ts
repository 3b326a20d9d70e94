import type { ClientBase, QueryResult } from "pg";
import { settleAll } from "../../shared/async.ts";
import type { ConnectionPool, Lease } from "./connection-pool.ts";
import { enterDatabase } from "./database-names.ts";
import type { SchemaVersion } from "./migrations.ts";
import { findPostgresCode } from "./postgres-error.ts";

export interface EnteredDatabase extends SchemaVersion {
  readonly number: number;
}

/** Statements before and after the one that enters a database. */
export interface Beginning {
  readonly begin: string;
  readonly lock?: string;
  readonly after: string;
}

/** A reader blocks nobody, so it may serve a slow consumer. */
export const BEGIN_READ = `begin isolation level repeatable read read only;
  set local idle_in_transaction_session_timeout = '10min';`;

export const MISSING_SCHEMA_CODES: readonly unknown[] = ["3F000", "42P01"];

/** Begins a transaction and enters the database in one round trip. Undefined if it is missing. */
export async function beginIn(
  client: ClientBase,
  { schema, name }: { readonly schema: string; readonly name: string },
  { begin, lock = "", after }: Beginning,
): Promise<EnteredDatabase | undefined> {
  try {
    return readEntered(
      await client.query(`${begin} ${enterDatabase(schema, name)} ${lock}; ${after}`),
    );
  } catch (error) {
    if (MISSING_SCHEMA_CODES.includes(findPostgresCode(error))) return undefined;
    throw error;
  }
}

/** Fast path that assumes a supported schema and fails otherwise. Planned once per connection. */
export async function beginInCurrent(
  { client, statements }: Pick<Lease, "client" | "statements">,
  {
    begin,
    enter,
    after,
  }: { readonly begin: string; readonly enter: string; readonly after: string },
): Promise<EnteredDatabase | undefined> {
  const [, entered] = await settleAll(
    client.query(begin),
    statements.enter(enter),
    after === "" ? Promise.resolve() : client.query(after),
  );
  const [row] = entered.rows;
  if (row === undefined) return undefined;
  const [, number, version, needs] = row as [path: string, ...numbers: [number, number, number]];
  return { number, version, needs };
}

/** Reads the results of a transaction's beginning, one per statement; the types omit this. */
function readEntered(results: unknown): EnteredDatabase | undefined {
  const found = (results as QueryResult<EnteredDatabase>[]).find(
    ({ command }) => command === "SELECT",
  );
  return found?.rows[0];
}

/** Ends a read without waiting; a failure is reported to the connection's next user. */
export async function endRead({ client }: { readonly client: ClientBase }): Promise<void> {
  client.query("commit").catch(() => undefined);
}

/** The lock timeout is the wait for another writer. */
const BEGIN_WRITE = "begin isolation level read committed; set local lock_timeout = '60s';";
/** The timeout exceeds a model's time for one claim. */
const BEGIN_CLAIM = `begin isolation level read committed;
  set local idle_in_transaction_session_timeout = '2min';`;

export const DISABLE_STATEMENT_TIMEOUT = "set local statement_timeout = 0";

export function statementLimit({ settings }: ConnectionPool): string {
  return `set local statement_timeout = ${settings.statementTimeoutMs}`;
}

/** The statement timeout is set after the lock, since waiting for it may take longer. */
export function beginWrite(pool: ConnectionPool): Beginning {
  const { idleTransactionTimeoutMs } = pool.settings;
  return {
    begin: `${BEGIN_WRITE} set local idle_in_transaction_session_timeout = ${idleTransactionTimeoutMs};`,
    after: statementLimit(pool),
  };
}

export function beginClaim(pool: ConnectionPool): Beginning {
  return { begin: BEGIN_CLAIM, after: statementLimit(pool) };
}
