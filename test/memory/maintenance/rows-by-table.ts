import { getTableName } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { exportDatabase, type MemoryEngine } from "../../../src/memory/index.ts";
import { EXPORTED_TABLES } from "../../../src/memory/maintenance/exported-tables.ts";

export type Row = Readonly<Record<string, unknown>>;

export async function rowsByTable(memory: MemoryEngine): Promise<Map<string, Row[]>> {
  const chunks: string[] = [];
  await exportDatabase(memory, async (chunk) => void chunks.push(chunk));
  const rows = new Map<string, Row[]>(EXPORTED_TABLES.map(({ name }) => [name, []]));
  for (const line of chunks.join("").trim().split("\n")) {
    const { table, row } = JSON.parse(line) as { table?: string; row?: Row };
    if (table !== undefined && row !== undefined) rows.get(table)?.push(row);
  }
  return rows;
}

/** Columns that identify a row in any memory. Other tables are identified by their references. */
const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  topics: ["id"],
  entities: ["type", "key"],
  episodes: ["content"],
  concepts: ["title"],
  facts: ["episode_id"],
  conflicts: ["fact_a", "fact_b"],
  sources: ["kind", "key"],
  passages: ["source_id", "key"],
};

/**
 * Replaces row numbers by identifying names, so that two memories can be compared. Leaves out
 * deleted rows and the provenance labels of a merge.
 */
export function withNames(
  tables: ReadonlyMap<string, readonly Row[]>,
): Map<string, ReadonlyMap<string, Row>> {
  const named = new Map<string, ReadonlyMap<string, Row>>();
  const names = new Map<string, ReadonlyMap<unknown, string>>();
  for (const { name, table, key } of EXPORTED_TABLES) {
    const targets = new Map(
      getTableConfig(table).foreignKeys.flatMap((reference) => {
        const { columns, foreignTable } = reference.reference();
        return columns.map((column) => [column.name, getTableName(foreignTable)] as const);
      }),
    );
    const own = new Map<unknown, string>();
    names.set(name, own);
    const active = (tables.get(name) ?? []).filter(
      (row) => (row.deleted_at ?? null) === null && row.key !== "import",
    );
    const nameOf = (row: Row): string => {
      const columns = NAMED_BY[name] ?? key.map((column) => column.name);
      return columns.map((column) => String(shownIn(row, column))).join(" ");
    };
    const shownIn = (row: Row, column: string): unknown => {
      const target = targets.get(column);
      const value = row[column];
      return target === undefined || value === null ? value : names.get(target)?.get(value);
    };
    // A row may refer to another of the same table, so name all rows first.
    for (const row of active) own.set(row.id, nameOf(row));
    const rows = active.map((row) => {
      const columns = Object.keys(row).map((column) => [column, shownIn(row, column)] as const);
      return [nameOf(row), Object.fromEntries(columns)] as const;
    });
    const needed = key.filter((column) => targets.has(column.name)).map((column) => column.name);
    const whole = rows.filter(([, row]) => needed.every((column) => row[column] !== undefined));
    named.set(name, new Map(whole));
  }
  return named;
}
