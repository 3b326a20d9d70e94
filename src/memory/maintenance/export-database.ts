import { asc, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { visibleJson } from "../../kernel/visible-json.ts";
import type { MemoryEngine } from "../open-memory.ts";
import type { DoctorWork } from "./diagnose.ts";
import { EXPORT_HEADER } from "./export-format.ts";
import { EXPORTED_TABLES, type ExportedTable } from "./exported-tables.ts";

/** Rows are read and handed on this many at a time. */
const ROWS_AT_ONCE = 500;

/**
 * The whole database as lines of JSON, each with its newline, a few hundred to a chunk, as it was
 * at one moment. `write` is awaited, so that a slow reader bounds the memory that this takes.
 * Returns the number of rows.
 */
export function exportDatabase(
  memory: MemoryEngine,
  write: (chunk: string) => Promise<void>,
  work: DoctorWork = {},
): Promise<number> {
  return memory.database.read(async (tx) => {
    await write(`${EXPORT_HEADER}\n`);
    const total = await countRows(tx);
    let done = 0;
    for (const exported of EXPORTED_TABLES) {
      for await (const rows of pagesOf(tx, exported)) {
        work.signal?.throwIfAborted();
        await write(rows.map((row) => toLine(exported, row)).join(""));
        done += rows.length;
        work.onProgress?.({ stage: "Exporting", done, total });
      }
    }
    return done;
  });
}

type StoredRow = Readonly<Record<string, unknown>>;

async function* pagesOf(tx: Tx, { table, key }: ExportedTable): AsyncGenerator<StoredRow[]> {
  const order = key.map(({ column }) => asc(column));
  const place = list(key.map(({ column }) => sql`${column}`));
  let last: StoredRow | undefined;
  for (;;) {
    const after =
      last === undefined
        ? undefined
        : sql`${place} > ${list(key.map(({ property }) => sql`${last?.[property]}`))}`;
    const rows: StoredRow[] = await tx
      .select()
      .from(table)
      .where(after)
      .orderBy(...order)
      .limit(ROWS_AT_ONCE);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
  }
}

function list(parts: SQL[]): SQL {
  return sql`(${sql.join(parts, sql`, `)})`;
}

function toLine({ name, columns }: ExportedTable, row: StoredRow): string {
  const values = columns.map((column) => [column.name, row[column.property] ?? null]);
  return `${visibleJson({ table: name, row: Object.fromEntries(values) })}\n`;
}

async function countRows(tx: Tx): Promise<number> {
  let total = 0;
  for (const { table } of EXPORTED_TABLES) {
    const [row] = await tx.select({ count: sql<number>`count(*)` }).from(table);
    total += row?.count ?? 0;
  }
  return total;
}
