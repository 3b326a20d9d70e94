import { type SQL, sql } from "drizzle-orm";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { wordsTable } from "./postings-tables.ts";
import { prefixEnd, stemKey } from "./weigh-words.ts";

/** SQL condition: the item contains all words, and one that begins with `begun`. */
export function postingsHold(
  kind: IndexedKind,
  number: SQL,
  { words, begun }: { readonly words: readonly string[]; readonly begun: string },
): SQL {
  const table = wordsTable(kind);
  const holding = (condition: SQL) =>
    sql`${number} in (select held.number from ${table} held where ${condition})`;
  const beginning = stemKey(begun);
  const all = [
    ...words.map((word) => holding(sql`held.word = ${stemKey(word)}`)),
    holding(sql`held.word >= ${beginning} and held.word < ${prefixEnd(beginning)}`),
  ];
  return sql.join(all, sql` and `);
}
