import { type SQL, sql } from "drizzle-orm";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import type { RowSearch } from "../text-query.ts";

/** Name of the full-text table of a kind. */
export const textTable = (kind: IndexedKind) => sql.identifier(`${kind}_text`);

/** The FTS5 expression for what a row must contain. */
export function expressionOf({ terms, every }: Pick<RowSearch, "terms" | "every">): string {
  return terms
    .map(({ word, isBeginning }) => (isBeginning ? `"${word}"*` : `"${word}"`))
    .join(every ? " AND " : " OR ");
}

/** Condition: the item contains all of the words, and one that is or begins with `begun`. */
export function fts5Holds(
  kind: IndexedKind,
  number: SQL,
  { words, begun }: { readonly words: readonly string[]; readonly begun: string },
): SQL {
  const all = [...words.map((word) => `"${word}"`), `("${begun}" OR "${begun}"*)`].join(" AND ");
  const table = textTable(kind);
  return sql`${number} in (select rowid from ${table} where ${table} match ${all})`;
}
