import { sql } from "drizzle-orm";
import { listOfRows, rowsNamed, type Tx } from "../../../database/index.ts";
import type { Term, UnitCount } from "../text-query.ts";
import { unitCounts } from "../unit-of-passage.ts";
import type { Visibility } from "../visibility.ts";
import { expressionOf, textTable } from "./fts5-expression.ts";

export function countUnits(
  tx: Tx,
  terms: readonly Term[],
  visible: Visibility,
): Promise<UnitCount[]> {
  const asked = terms.map((term, place) => [place, expressionOf({ terms: [term], every: false })]);
  return countAsked(tx, visible, { asked: listOfRows(asked) });
}

const countAsked = unitCounts(() => {
  const table = textTable("passage");
  return {
    term: sql`asked.term`,
    from: sql`(${rowsNamed("asked", { term: "number", expression: "text" })}) asked
      cross join ${table} on ${table} match asked.expression
      cross join passages on passages.id = ${table}.rowid`,
  };
});
