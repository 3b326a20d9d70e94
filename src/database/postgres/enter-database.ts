import type { ClientBase, QueryResult } from "pg";
import { enterDatabase } from "./database-names.ts";
import type { SchemaVersion } from "./migrations.ts";
import { postgresCodeOf } from "./postgres-error.ts";

/** The database that a transaction has entered. */
export interface Entered extends SchemaVersion {
  readonly number: number;
  /** Of its newest event; undefined unless it was asked for. */
  readonly seq: number | undefined;
}

/** Statements around the one that enters a database. */
export interface Beginning {
  readonly begin: string;
  readonly lock?: string;
  readonly after: string;
}

/** A reader holds nobody up, and may hand on what it reads to somebody slow. */
export const READ = `begin isolation level repeatable read read only;
  set local idle_in_transaction_session_timeout = '10min';`;

/** How far the feed goes that this transaction sees; asked behind its beginning, or before its end. */
export const NEWEST_SEQ = "select coalesce(max(seq), 0)::double precision as seq from events";

/** Nobody has made a database here yet: no such schema, no such table. */
export const NOTHING_YET: readonly unknown[] = ["3F000", "42P01"];

/** Begins a transaction and enters the database; one round trip. Undefined where there is none. */
export async function beginIn(
  client: ClientBase,
  { schema, name }: { readonly schema: string; readonly name: string },
  { begin, lock = "", after }: Beginning,
): Promise<Entered | undefined> {
  try {
    return enteredOf(
      await client.query(`${begin} ${enterDatabase(schema, name)} ${lock}; ${after}`),
    );
  } catch (error) {
    if (NOTHING_YET.includes(postgresCodeOf(error))) return undefined;
    throw error;
  }
}

/**
 * What the answers to a beginning tell. The driver has one for each statement, and does not say so in
 * its types.
 */
export function enteredOf(results: unknown): Entered | undefined {
  const [found, seen] = (results as QueryResult<Entered>[])
    .filter(({ command }) => command === "SELECT")
    .map(({ rows }) => rows[0]);
  if (found === undefined) return undefined;
  const { number, version, needs } = found;
  return { number, version, needs, seq: seen?.seq };
}

/** Whether the end of a read went well, whoever uses the connection next is told. */
export async function endOfRead({ client }: { readonly client: ClientBase }): Promise<void> {
  client.query("commit").catch(() => undefined);
}
