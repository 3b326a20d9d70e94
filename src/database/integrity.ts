import { sql } from "drizzle-orm";
import type { Tx } from "./database.ts";
import { sqliteCodeOf } from "./sqlite/sqlite-error.ts";

const MAX_FAULTS = 1000;

export interface IntegrityFaults {
  /** Faults of indexes, if only indexes are damaged: `rebuildIndexes` repairs them. */
  readonly indexFaults: readonly string[];
  /** The damaged indexes of `indexFaults`. */
  readonly indexes: readonly string[];
  /** All faults, if rows may be lost as well. */
  readonly fileFaults: readonly string[];
}

/** Faults that the engine itself finds in how it stores the database. */
export async function integrityFaults(tx: Tx): Promise<IntegrityFaults> {
  if (tx.engine === "sqlite") return sqliteFaults(tx);
  // PostgreSQL notices damaged files only when it reads them; this query finds what it knows beforehand.
  const rows = await tx.all<{ name: string }>(sql`
    select relname as name from pg_catalog.pg_index join pg_catalog.pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace order by relname limit ${MAX_FAULTS}`);
  const fileFaults = rows.map(({ name }) => `the index ${name} is not valid`);
  return { indexFaults: [], indexes: [], fileFaults };
}

async function sqliteFaults(tx: Tx): Promise<IntegrityFaults> {
  const faults = await checkFile(tx);
  if (faults.length === 0) return { indexFaults: [], indexes: [], fileFaults: [] };
  const stored = await tx.all<{ name: string; root: number }>(
    sql`select name, rootpage as root from sqlite_schema where type = 'index'`,
  );
  const names = new Set(stored.map(({ name }) => name));
  const byRoot = new Map(stored.map(({ name, root }) => [root, name]));
  const damaged = faults.map((fault) => {
    const tree = /^Tree (\d+) /.exec(fault)?.[1];
    if (tree !== undefined) return byRoot.get(Number(tree));
    const named = INDEX_FAULT.exec(fault)?.[1];
    return named !== undefined && names.has(named) ? named : undefined;
  });
  // SQLite checks the pages of all tables before rows, so a full list of page faults can hide one of a table.
  const isCutShort = faults.length >= MAX_FAULTS && faults.at(-1)?.startsWith("Tree ") === true;
  const indexes = new Set(damaged.filter((name) => name !== undefined));
  if (isCutShort || damaged.includes(undefined)) {
    return { indexFaults: [], indexes: [], fileFaults: faults };
  }
  return { indexFaults: faults, indexes: [...indexes], fileFaults: [] };
}

async function checkFile(tx: Tx): Promise<string[]> {
  try {
    const rows = await tx.all<{ integrity_check: string }>(
      sql`pragma integrity_check(${sql.raw(String(MAX_FAULTS))})`,
    );
    return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
  } catch (error) {
    // The check itself ends at a page whose header is destroyed.
    if (sqliteCodeOf(error) === "SQLITE_CORRUPT") return ["a page cannot be read"];
    throw error;
  }
}

/** Wordings of SQLite for rows and an index that do not match; the name of the index ends the sentence. */
const INDEX_FAULT =
  /^(?:row \d+ missing from|row \d+ values differ from|wrong # of entries in|non-unique entry in|rowid not at end-of-record for row \d+ of) index (\S+)$/;

/** Rebuilds damaged indexes from the rows. One with a destroyed page stays damaged: SQLite cannot clear it. */
export async function rebuildIndexes(tx: Tx, indexes: readonly string[]): Promise<void> {
  for (const index of indexes) {
    try {
      await tx.run(sql`reindex ${sql.identifier(index)}`);
    } catch (error) {
      // The next check reports it again.
      if (sqliteCodeOf(error)?.startsWith("SQLITE_CORRUPT") !== true) throw error;
    }
  }
}
