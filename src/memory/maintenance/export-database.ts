import { asc, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { stateConflict } from "../../shared/errors.ts";
import { visibleJson } from "../../shared/json.ts";
import type { MemoryEngine } from "../open-memory.ts";
import type { DoctorWork } from "./diagnosis.ts";
import { EXPORT_HEADER, ExportTally } from "./export-format.ts";
import { EXPORTED_TABLES, type ExportedTable } from "./exported-tables.ts";
import { readRows, type StoredRow, unreadable } from "./read-stored-rows.ts";
import { rescueRows } from "./rescue-rows.ts";

/** Rows are read and handed on this many at a time. */
const ROWS_AT_ONCE = 500;

export interface ExportWork extends DoctorWork {
  readonly onUnreadable?: ((rows: string) => void) | undefined;
}

/**
 * The whole database as lines of JSON, each with its newline, a few hundred to a chunk, as it was
 * at one moment. `write` is awaited, so that a slow reader bounds the memory that this takes.
 * Returns the number of rows. Of a damaged file it reads what can be read.
 */
export async function exportDatabase(
  memory: MemoryEngine,
  write: (chunk: string) => Promise<void>,
  work: ExportWork = {},
): Promise<number> {
  const database = await memory.database();
  return database.read(async (tx) => {
    const tally = new ExportTally();
    const put = (text: string) => {
      tally.addText(text);
      return write(text);
    };
    let complete = true;
    const leaveOut = (rows: string) => {
      complete = false;
      (work.onUnreadable ?? refuse)(rows);
    };
    await put(`${EXPORT_HEADER}\n`);
    const total = await countRows(tx);
    for (const exported of EXPORTED_TABLES) {
      for await (const rows of pagesOf(tx, exported, leaveOut)) {
        work.signal?.throwIfAborted();
        tally.addRows(exported.name, rows.length);
        await put(rows.map((row) => toLine(exported, row)).join(""));
        await yieldToEventLoop();
        work.onProgress?.({ stage: "Exporting", done: tally.rows, total });
      }
    }
    await write(`${JSON.stringify({ end: tally.trailer(complete) })}\n`);
    return tally.rows;
  });
}

function refuse(rows: string): never {
  throw stateConflict(`Rows cannot be read: ${rows}. \`cairn doctor\` tells what is wrong.`);
}

/** Rows in the order of their key; from the first damage on, what can be read of them. */
async function* pagesOf(
  tx: Tx,
  exported: ExportedTable,
  leaveOut: (rows: string) => void,
): AsyncGenerator<StoredRow[]> {
  const order = exported.key.map(({ column }) => asc(column));
  let last: StoredRow | undefined;
  for (;;) {
    const where = last === undefined ? undefined : isAfter(exported, last);
    const rows = await readRows(tx, exported, { where, order, limit: ROWS_AT_ONCE });
    if (rows === unreadable) {
      yield* rescueRows(tx, { exported, where, leaveOut });
      return;
    }
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
  }
}

function isAfter({ key }: ExportedTable, row: StoredRow): SQL {
  const place = list(key.map(({ column }) => sql`${column}`));
  return sql`${place} > ${list(key.map(({ property }) => sql`${row[property]}`))}`;
}

function list(parts: SQL[]): SQL {
  return sql`(${sql.join(parts, sql`, `)})`;
}

function toLine({ name, columns }: ExportedTable, row: StoredRow): string {
  const values = columns.map((column) => [column.name, row[column.property] ?? null]);
  return `${visibleJson({ table: name, row: Object.fromEntries(values) })}\n`;
}

/** For the progress; a table that cannot be counted is still read. */
async function countRows(tx: Tx): Promise<number> {
  let total = 0;
  for (const { table } of EXPORTED_TABLES) {
    const counted = tx.select({ count: sql<number>`count(*)` }).from(table);
    const [row] = await Promise.resolve(counted).catch(() => []);
    total += row?.count ?? 0;
  }
  return total;
}
