import { asc, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { findSqliteCode } from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { stateConflict } from "../../shared/errors.ts";
import { escapeHidden } from "../../shared/json.ts";
import type { MemoryEngine } from "../open-memory.ts";
import type { DoctorWork } from "./check.ts";
import { EXPORT_HEADER, ExportTally } from "./export-format.ts";
import { EXPORTED_TABLES, type ExportedTable } from "./exported-tables.ts";

type StoredRow = Readonly<Record<string, unknown>>;

const unreadableRows = Symbol("unreadable");

interface StoredRows {
  readonly where: SQL | undefined;
  readonly order: SQL[];
  readonly limit: number;
}

async function readRows(
  tx: Tx,
  { table }: ExportedTable,
  { where, order, limit }: StoredRows,
): Promise<StoredRow[] | typeof unreadableRows> {
  try {
    return await tx
      .select()
      .from(table)
      .where(where)
      .orderBy(...order)
      .limit(limit);
  } catch (error) {
    if (isDamage(error)) return unreadableRows;
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  const code = findSqliteCode(error);
  const isOfFile = code === "SQLITE_ERROR" || (code?.startsWith("SQLITE_CORRUPT") ?? false);
  return error instanceof SyntaxError || isOfFile;
}

const NUMBERS_PER_RANGE = 512;

interface Rescue {
  readonly exported: ExportedTable;
  readonly where: SQL | undefined;
  readonly leaveOut: (rows: string) => void;
}

interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a damaged table by rowid without indexes, halving each failing range until only damaged
 * rows are left.
 */
async function* rescueRows(tx: Tx, rescue: Rescue): AsyncGenerator<StoredRow[]> {
  const lost = new LostRanges(rescue);
  const all = await loadNumberRange(tx, rescue);
  if (all === undefined) {
    rescue.leaveOut(`${rescue.exported.name}, as far as they were not read yet`);
    return;
  }
  for (let from = all.from; from <= all.to; from += NUMBERS_PER_RANGE) {
    const to = Math.min(from + NUMBERS_PER_RANGE - 1, all.to);
    yield* readAround(tx, rescue, { from, to, lost });
  }
  lost.report();
}

async function* readAround(
  tx: Tx,
  rescue: Rescue,
  { from, to, lost }: NumberRange & { readonly lost: LostRanges },
): AsyncGenerator<StoredRow[]> {
  // This form prevents the use of an index, which may be damaged.
  const requested = rescue.where === undefined ? sql`` : sql` and (${rescue.where}) is true`;
  const rows = await readRows(tx, rescue.exported, {
    where: sql`rowid between ${from} and ${to}${requested}`,
    order: [sql`rowid`],
    limit: NUMBERS_PER_RANGE,
  });
  if (rows !== unreadableRows) {
    if (rows.length > 0) yield rows;
  } else if (from === to) {
    lost.add(from);
  } else {
    const middle = Math.floor((from + to) / 2);
    yield* readAround(tx, rescue, { from, to: middle, lost });
    yield* readAround(tx, rescue, { from: middle + 1, to, lost });
  }
}

/** Returns the first and last number; from SQLite's counter if the end of the table is damaged. */
async function loadNumberRange(tx: Tx, { exported }: Rescue): Promise<NumberRange | undefined> {
  const { table, name } = exported;
  const counter = sql`select 1 as "from", seq as "to" from sqlite_sequence where name = ${name}`;
  for (const ask of [
    sql`select min(rowid) as "from", max(rowid) as "to" from ${table} not indexed`,
    sql`select 1 as "from", max(rowid) as "to" from ${table} not indexed`,
    counter,
  ]) {
    try {
      const [range] = await tx.all<{ from: number | null; to: number | null }>(ask);
      if (range?.to != null) return { from: range.from ?? 1, to: range.to };
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  return undefined;
}

class LostRanges {
  readonly #rescue: Rescue;
  #range: NumberRange | undefined;

  constructor(rescue: Rescue) {
    this.#rescue = rescue;
  }

  add(number: number): void {
    const range = this.#range;
    if (range !== undefined && number === range.to + 1) {
      this.#range = { from: range.from, to: number };
      return;
    }
    this.report();
    this.#range = { from: number, to: number };
  }

  report(): void {
    const range = this.#range;
    if (range === undefined) return;
    const { from, to } = range;
    const { name, key } = this.#rescue.exported;
    const isNumbered = key.length === 1 && key[0]?.column.dataType === "number";
    const numbers = from === to ? `${from}` : `${from} to ${to}`;
    this.#rescue.leaveOut(isNumbered ? `${name} ${numbers}` : `${name}, stored as ${numbers}`);
    this.#range = undefined;
  }
}

const ROWS_PER_BATCH = 500;

export interface ExportWork extends DoctorWork {
  readonly onUnreadable?: ((rows: string) => void) | undefined;
}

/**
 * Exports a snapshot as JSON lines, a few hundred per chunk. Awaits `write`, which bounds memory
 * for slow readers. Returns the number of rows. Exports the readable part of a damaged file.
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
      (work.onUnreadable ?? rejectDamage)(rows);
    };
    await put(`${EXPORT_HEADER}\n`);
    const total = await countRows(tx);
    for (const exported of EXPORTED_TABLES) {
      for await (const rows of readPages(tx, exported, leaveOut)) {
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

function rejectDamage(rows: string): never {
  throw stateConflict(`Rows cannot be read: ${rows}. \`cairn doctor\` lists the problems.`);
}

async function* readPages(
  tx: Tx,
  exported: ExportedTable,
  leaveOut: (rows: string) => void,
): AsyncGenerator<StoredRow[]> {
  const order = exported.key.map(({ column }) => asc(column));
  let last: StoredRow | undefined;
  for (;;) {
    const where = last === undefined ? undefined : isAfterKey(exported, last);
    const rows = await readRows(tx, exported, { where, order, limit: ROWS_PER_BATCH });
    if (rows === unreadableRows) {
      yield* rescueRows(tx, { exported, where, leaveOut });
      return;
    }
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_BATCH) return;
  }
}

function isAfterKey({ key }: ExportedTable, row: StoredRow): SQL {
  const columns = listRanges(key.map(({ column }) => sql`${column}`));
  return sql`${columns} > ${listRanges(key.map(({ property }) => sql`${row[property]}`))}`;
}

function listRanges(parts: SQL[]): SQL {
  return sql`(${sql.join(parts, sql`, `)})`;
}

function toLine({ name, columns }: ExportedTable, row: StoredRow): string {
  const values = columns.map((column) => [column.name, row[column.property] ?? null]);
  return `${escapeHidden({ table: name, row: Object.fromEntries(values) })}\n`;
}

async function countRows(tx: Tx): Promise<number> {
  let total = 0;
  for (const { table } of EXPORTED_TABLES) {
    const counted = tx.select({ count: sql<number>`count(*)` }).from(table);
    const [row] = await Promise.resolve(counted).catch(() => []);
    total += row?.count ?? 0;
  }
  return total;
}
