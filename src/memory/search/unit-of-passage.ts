import { type SQL, sql } from "drizzle-orm";
import { type QueryShape, type QueryValues, rowQuery, type Tx } from "../../database/index.ts";
import type { UnitCount } from "./text-query.ts";
import type { Visibility } from "./visibility.ts";

/** Segments that a source can have, far more than any has. */
const SEGMENTS = 2 ** 24;

/**
 * The unit that a row of `passages` belongs to: a segment of its source. What was said in one go is
 * one, and each commit or section is one of its own.
 */
export const UNIT_OF_PASSAGE = sql.raw(`(passages.source_id * ${SEGMENTS} + passages.segment)`);

export function unitPlace(unit: number): { readonly source: number; readonly segment: number } {
  return { source: Math.floor(unit / SEGMENTS), segment: unit % SEGMENTS };
}

interface UnitShape extends QueryShape {
  readonly visible: Visibility;
}

/**
 * In how many visible passages of each unit each term stands. `held` says what the engine's index
 * holds: a column `term`, and `passages` joined to it.
 */
export function unitCounts(
  held: () => { readonly term: SQL; readonly from: SQL },
): (tx: Tx, visible: Visibility, terms: QueryValues) => Promise<UnitCount[]> {
  const rowsOf = rowQuery<[term: number, unit: number, passages: number], UnitShape>(
    ({ visible }) => {
      const { term, from } = held();
      return sql`select ${term}, ${UNIT_OF_PASSAGE} as unit, count(*) from ${from}
        where ${visible.condition} group by ${term}, unit`;
    },
  );
  return async (tx, visible, terms) => {
    const values = { ...visible.values, ...terms };
    const rows = await rowsOf(tx, values, { shape: visible.shape, visible });
    return rows.map(([term, unit, passages]) => ({ term, unit, passages }));
  };
}
