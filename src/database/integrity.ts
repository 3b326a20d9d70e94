import { sql } from "drizzle-orm";
import type { Tx } from "./database.ts";
import { findSqliteCode } from "./sqlite/sqlite-error.ts";

const MAX_FAULTS = 1000;

export interface IntegrityFaults {
  /** Set if only indexes are damaged, which `rebuildIndexes` repairs. */
  readonly indexFaults: readonly string[];
  readonly indexes: readonly string[];
  /** Set if rows may be lost. */
  readonly fileFaults: readonly string[];
}

/** Runs the engine's own integrity check. */
export async function findIntegrityFaults(tx: Tx): Promise<IntegrityFaults> {
  if (tx.engine === "sqlite") return findSqliteFaults(tx);
  // PostgreSQL detects damaged files only when it reads them; this query finds known faults.
  const rows = await tx.all<{ name: string }>(sql`
    select relname as name from pg_catalog.pg_index join pg_catalog.pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace order by relname limit ${MAX_FAULTS}`);
  const fileFaults = rows.map(({ name }) => `the index ${name} is not valid`);
  return { indexFaults: [], indexes: [], fileFaults };
}

async function findSqliteFaults(tx: Tx): Promise<IntegrityFaults> {
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
    const named = INDEX_FAULT_PATTERN.exec(fault)?.[1];
    return named !== undefined && names.has(named) ? named : undefined;
  });
  // SQLite checks pages before rows, so a full list of page faults can hide row faults.
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
    // The check aborts at a page with a destroyed header.
    if (findSqliteCode(error) === "SQLITE_CORRUPT") return ["a page cannot be read"];
    throw error;
  }
}

/** SQLite messages about mismatched rows and indexes, which end with the index name. */
const INDEX_FAULT_PATTERN =
  /^(?:row \d+ missing from|row \d+ values differ from|wrong # of entries in|non-unique entry in|rowid not at end-of-record for row \d+ of) index (\S+)$/;

/** Rebuilds damaged indexes from the rows. SQLite cannot repair an index with a destroyed page. */
export async function rebuildIndexes(tx: Tx, indexes: readonly string[]): Promise<void> {
  for (const index of indexes) {
    try {
      await tx.run(sql`reindex ${sql.identifier(index)}`);
    } catch (error) {
      // The next check reports it again.
      if (findSqliteCode(error)?.startsWith("SQLITE_CORRUPT") !== true) throw error;
    }
  }
}
