import { asc, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { stateConflict } from "../../kernel/errors.ts";
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
  work: ExportWork = {},
): Promise<number> {
  return memory.database.read(async (tx) => {
    await write(`${EXPORT_HEADER}\n`);
    const total = await countRows(tx);
    let done = 0;
    for (const exported of EXPORTED_TABLES) {
      for await (const rows of pagesOf(tx, exported, work.onUnreadable ?? refuse)) {
        work.signal?.throwIfAborted();
        await write(rows.map((row) => toLine(exported, row)).join(""));
        done += rows.length;
        work.onProgress?.({ stage: "Exporting", done, total });
      }
    }
    return done;
  });
}

export interface ExportWork extends DoctorWork {
  /** Told of each row that is damaged and left out; without it, such a row ends the export. */
  readonly onUnreadable?: ((row: string) => void) | undefined;
}

function refuse(row: string): never {
  throw stateConflict(`A row cannot be read: ${row}. \`cairn doctor\` tells what is wrong.`);
}

type StoredRow = Readonly<Record<string, unknown>>;

/** Rows in the order of their key; what cannot be read is told and left out. */
async function* pagesOf(
  tx: Tx,
  exported: ExportedTable,
  onUnreadable: (row: string) => void,
): AsyncGenerator<StoredRow[]> {
  const { table, key } = exported;
  const order = key.map(({ column }) => asc(column));
  const place = list(key.map(({ column }) => sql`${column}`));
  const keyColumns = Object.fromEntries(key.map(({ property, column }) => [property, column]));
  const placeOf = (row: StoredRow) => list(key.map(({ property }) => sql`${row[property]}`));
  let last: StoredRow | undefined;
  for (;;) {
    const after = last === undefined ? undefined : sql`${place} > ${placeOf(last)}`;
    const page = { after, order };
    let rows = await readRows(tx, exported, page);
    let keys: readonly StoredRow[] | undefined = rows;
    if (rows === undefined || keys === undefined) {
      keys = await tx
        .select(keyColumns)
        .from(table)
        .where(after)
        .orderBy(...order)
        .limit(ROWS_AT_ONCE);
      rows = [];
      for (const one of keys) {
        const found = await readRows(tx, exported, {
          after: sql`${place} = ${placeOf(one)}`,
          order,
        });
        if (found === undefined) onUnreadable(`${exported.name} ${Object.values(one).join(" ")}`);
        else rows.push(...found);
      }
    }
    if (rows.length > 0) yield rows;
    last = keys.at(-1);
    if (last === undefined || keys.length < ROWS_AT_ONCE) return;
  }
}

/** Undefined where one of them cannot be read. */
async function readRows(
  tx: Tx,
  { table }: ExportedTable,
  { after, order }: { after: SQL | undefined; order: SQL[] },
): Promise<StoredRow[] | undefined> {
  try {
    return await tx
      .select()
      .from(table)
      .where(after)
      .orderBy(...order)
      .limit(ROWS_AT_ONCE);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
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
