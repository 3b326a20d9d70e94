import { sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";

/** An episode near another one of its session. */
export interface NeighbourEdge {
  readonly from: number;
  readonly to: number;
  /** Places between them, 1 or 2. */
  readonly distance: number;
}

const STEPS = 2;

/**
 * The two episodes before and the two after each of these in its session, in id order; deleted ones
 * take no place. One statement, whatever their number. SQLite only.
 */
export async function loadNeighbours(tx: Tx, numbers: readonly number[]): Promise<NeighbourEdge[]> {
  if (numbers.length === 0) return [];
  const seeds = JSON.stringify(numbers);
  const session = sql`session = (select session from episodes where id = seed.value)`;
  const rows = await tx.values<[from: number, to: number]>(sql`
    select seed.value, near.id from json_each(${seeds}) seed, episodes near where near.id in (
      select id from episodes where deleted_at is null and ${session} and id < seed.value
      order by id desc limit ${STEPS}
    ) union all
    select seed.value, near.id from json_each(${seeds}) seed, episodes near where near.id in (
      select id from episodes where deleted_at is null and ${session} and id > seed.value
      order by id limit ${STEPS}
    )`);
  return rows.map(([from, to]) => ({ from, to, distance: distanceOf(rows, from, to) }));
}

/** The nearer of two numbers on one side is one place away. */
function distanceOf(rows: readonly [number, number][], from: number, to: number): number {
  const nearer = rows.filter(
    ([origin, other]) =>
      origin === from && other > from === to > from && Math.abs(other - from) < Math.abs(to - from),
  );
  return nearer.length + 1;
}
