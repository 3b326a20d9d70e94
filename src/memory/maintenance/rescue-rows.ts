import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import type { ExportedTable } from "./exported-tables.ts";
import { isDamage, readRows, type StoredRow, unreadable } from "./read-stored-rows.ts";

const NUMBERS_AT_ONCE = 512;

export interface Rescue {
  readonly exported: ExportedTable;
  readonly where: SQL | undefined;
  /** Told of what cannot be read: `episodes 20 to 39`. */
  readonly leaveOut: (rows: string) => void;
}

interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a damaged table by the numbers that SQLite gives its rows, without any index, and halves
 * each range that fails until only what is damaged is left of it.
 */
export async function* rescueRows(tx: Tx, rescue: Rescue): AsyncGenerator<StoredRow[]> {
  const lost = new LostRanges(rescue);
  const all = await numbersOf(tx, rescue);
  if (all === undefined) {
    rescue.leaveOut(`${rescue.exported.name}, as far as they were not read yet`);
    return;
  }
  for (let from = all.from; from <= all.to; from += NUMBERS_AT_ONCE) {
    const to = Math.min(from + NUMBERS_AT_ONCE - 1, all.to);
    yield* readAround(tx, rescue, { from, to, lost });
  }
  lost.tell();
}

async function* readAround(
  tx: Tx,
  rescue: Rescue,
  { from, to, lost }: NumberRange & { readonly lost: LostRanges },
): AsyncGenerator<StoredRow[]> {
  // In this form no index is used for the condition, which may be what is damaged.
  const wanted = rescue.where === undefined ? sql`` : sql` and (${rescue.where}) is true`;
  const rows = await readRows(tx, rescue.exported, {
    where: sql`rowid between ${from} and ${to}${wanted}`,
    order: [sql`rowid`],
    limit: NUMBERS_AT_ONCE,
  });
  if (rows !== unreadable) {
    if (rows.length > 0) yield rows;
  } else if (from === to) {
    lost.add(from);
  } else {
    const middle = Math.floor((from + to) / 2);
    yield* readAround(tx, rescue, { from, to: middle, lost });
    yield* readAround(tx, rescue, { from: middle + 1, to, lost });
  }
}

/** First and last number; from SQLite's own count where the end of the table is damaged. */
async function numbersOf(tx: Tx, { exported }: Rescue): Promise<NumberRange | undefined> {
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
    this.tell();
    this.#range = { from: number, to: number };
  }

  tell(): void {
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
