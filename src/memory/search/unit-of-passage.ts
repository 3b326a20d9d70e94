import { type SQL, sql } from "drizzle-orm";
import { type QueryShape, type QueryValues, rowQuery, type Tx } from "../../database/index.ts";
import type { UnitCount } from "./text-query.ts";
import type { Visibility } from "./visibility.ts";

/** A bound for the segments of a source, far above any real number of them. */
const SEGMENTS = 2 ** 24;

/**
 * The unit that a row of `passages` belongs to, which is a segment of its source. What was said in one go is
 * one unit; each commit or section is a unit of its own.
 */
export const UNIT_OF_PASSAGE = sql.raw(`(passages.source_id * ${SEGMENTS} + passages.segment)`);

export function unitPlace(unit: number): { readonly source: number; readonly segment: number } {
  return { source: Math.floor(unit / SEGMENTS), segment: unit % SEGMENTS };
}

interface UnitShape extends QueryShape {
  readonly visible: Visibility;
}

/**
 * For each term and unit, the number of visible passages with the term. `held` is what the engine's index
 * contains: a column `term`, joined to `passages`.
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
