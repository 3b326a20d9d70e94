import { sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { type Problem, problemOf, problemOfRows } from "../../context/problem.ts";
import { itemId, publicName } from "../indexed-items.ts";
import { storedVector } from "../stored-vector.ts";
import { signsTable } from "./signs-table.ts";

/** Problems with the sign bits of the coarse search, compared with the vectors. */
export async function findSignProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const signs = sql`select number from ${signsTable(kind)}`;
  const stored = sql`select item_id from vectors where kind = ${kind}`;
  return [
    ...(await problemOfRows(
      tx,
      `The coarse index lacks vectors of ${kind}s.`,
      sql`select ${itemId(kind, sql`item_id`)} as item from (${stored} except ${signs}) lacking`,
    )),
    ...(await problemOfRows(
      tx,
      `The coarse index holds ${kind}s that have no vector.`,
      sql`select number as item from (${signs} except ${stored}) stray`,
    )),
    ...problemOf(
      `The coarse index holds other signs than the vectors of ${kind}s.`,
      (await differingSigns(tx, kind)).map((number) => publicName(kind, number)),
    ),
  ];
}

/** Items whose vector and sign bits do not match. */
export async function itemsThatDiffer(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const signs = sql`select number from ${signsTable(kind)}`;
  const stored = sql`select item_id from vectors where kind = ${kind}`;
  const uneven = await tx.all<{ number: number }>(
    sql`select item_id as number from (${stored} except ${signs}) lacking union select number from (${signs} except ${stored}) stray`,
  );
  return [...uneven.map(({ number }) => number), ...(await differingSigns(tx, kind))];
}

const ROWS_AT_ONCE = 1000;

async function differingSigns(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const differing: number[] = [];
  let after = 0;
  for (;;) {
    const rows = await tx.all<{ number: number; vector: Buffer; bits: string }>(
      sql`select number, vector, bits::text as bits from ${signsTable(kind)}
        join vectors on vectors.kind = ${kind} and vectors.item_id = number
        where number > ${after} order by number limit ${sql.raw(String(ROWS_AT_ONCE))}`,
    );
    for (const { number, vector, bits } of rows) {
      if (!haveSameSigns(storedVector(vector), bits)) differing.push(number);
    }
    const last = rows.at(-1);
    if (last === undefined) return differing;
    after = last.number;
  }
}

/**
 * True if vector and signs match. A value that was rounded to 0 has lost its sign; all others must
 * agree.
 */
function haveSameSigns(vector: Int8Array, bits: string): boolean {
  return (
    vector.length === bits.length &&
    vector.every((value, place) => value === 0 || value > 0 === (bits[place] === "1"))
  );
}
