import { sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { signBits } from "../../../embedding/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { type Problem, problemOf, problemOfRows } from "../../context/problem.ts";
import { itemId, publicName } from "../indexed-items.ts";
import { ALL_PARTS, bitsTable, PARTS } from "./bits-table.ts";

/** The sign bits of the coarse search, compared with the vectors. */
export async function findSignProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const bits = bitsTable(kind);
  const stored = sql`select item_id from vectors where kind = ${kind}`;
  return [
    ...(await problemOfRows(
      tx,
      `The coarse index lacks vectors of ${kind}s.`,
      sql`select ${itemId(kind, sql`item_id`)} as item from (${stored} except select rowid from ${bits})`,
    )),
    ...(await problemOfRows(
      tx,
      `The coarse index holds ${kind}s that have no vector.`,
      sql`select rowid as item from (select rowid from ${bits} except ${stored})`,
    )),
    ...problemOf(
      `The coarse index finds nothing in parts that hold ${kind}s.`,
      (await partsWithoutNeighbours(tx, kind)).map((part) => `part ${part}`),
    ),
    ...problemOf(
      `The coarse index holds other signs than the vectors of ${kind}s.`,
      (await differingSigns(tx, kind)).map((number) => publicName(kind, number)),
    ),
  ];
}

const ROWS_AT_ONCE = 1000;

async function differingSigns(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const bits = bitsTable(kind);
  const differing: number[] = [];
  let after = 0;
  for (;;) {
    const rows = await tx.all<{ number: number; vector: Buffer; bits: Buffer | null }>(
      sql`select item_id as number, vector, (select bits from ${bits} where rowid = item_id) as bits from vectors where kind = ${kind} and item_id > ${after} order by item_id limit ${ROWS_AT_ONCE}`,
    );
    for (const row of rows) {
      if (row.bits !== null && !haveSameSigns(row.vector, row.bits)) differing.push(row.number);
    }
    const last = rows.at(-1);
    if (last === undefined) return differing;
    after = last.number;
  }
}

/** A value that was rounded to 0 has lost its sign; every other must agree. */
function haveSameSigns(vector: Buffer, bits: Buffer): boolean {
  for (const [index, byte] of vector.entries()) {
    const value = byte > 127 ? byte - 256 : byte;
    const isPositive = (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
    if (value !== 0 && isPositive !== value > 0) return false;
  }
  return true;
}

/** Items of which the vectors and their signs tell different things. */
export async function itemsThatDiffer(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const bits = bitsTable(kind);
  const stored = sql`select item_id from vectors where kind = ${kind}`;
  const uneven = await tx.all<{ number: number }>(
    sql`select item_id as number from (${stored} except select rowid from ${bits}) union select rowid as number from (select rowid from ${bits} except ${stored})`,
  );
  return [...uneven.map(({ number }) => number), ...(await differingSigns(tx, kind))];
}

/** Parts of the index that hold items, of which a search finds none. */
export async function partsWithoutNeighbours(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const table = bitsTable(kind);
  const [any] = await tx.all<{ vector: Buffer }>(
    sql`select vector from vectors where kind = ${kind} limit 1`,
  );
  if (any === undefined) return [];
  const bits = sql`vec_bit(${signBits(Float32Array.from(new Int8Array(any.vector)))})`;
  const held = await tx.values<[number]>(
    sql`select distinct item_id % ${sql.raw(String(PARTS))} from vectors where kind = ${kind}`,
  );
  const found = await tx.values<[number]>(
    sql`select parts.value from json_each(${ALL_PARTS}) parts cross join ${table} near where near.bits match ${bits} and near.k = 1 and near.part = parts.value`,
  );
  const searched = new Set(found.map(([part]) => part));
  return held.map(([part]) => part).filter((part) => !searched.has(part));
}
