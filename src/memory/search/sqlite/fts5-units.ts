import { sql } from "drizzle-orm";
import {
  listOfRows,
  type QueryShape,
  rowQuery,
  rowsNamed,
  type Tx,
} from "../../../database/index.ts";
import type { Term, UnitCount } from "../text-query.ts";
import { UNIT_OF_PASSAGE } from "../unit-of-passage.ts";
import type { Visibility } from "../visibility.ts";
import { expressionOf, textTable } from "./fts5-expression.ts";

export async function countUnits(
  tx: Tx,
  terms: readonly Term[],
  visible: Visibility,
): Promise<UnitCount[]> {
  const asked = terms.map((term, place) => [place, expressionOf({ terms: [term], every: false })]);
  const values = { ...visible.values, asked: listOfRows(asked) };
  const rows = await unitCounts(tx, values, { shape: visible.shape, visible });
  return rows.map(([term, unit, passages]) => ({ term, unit, passages }));
}

interface UnitShape extends QueryShape {
  readonly visible: Visibility;
}

const unitCounts = rowQuery<[term: number, unit: number, passages: number], UnitShape>(
  ({ visible }) => {
    const table = textTable("passage");
    return sql`select asked.term, ${UNIT_OF_PASSAGE} as unit, count(*)
      from (${rowsNamed("asked", { term: "number", expression: "text" })}) asked
      cross join ${table} on ${table} match asked.expression
      cross join passages on passages.id = ${table}.rowid
      where ${visible.condition} group by asked.term, unit`;
  },
);
