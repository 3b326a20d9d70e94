import { type SQL, sql } from "drizzle-orm";
import { byEngine } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { foldText } from "./fold-text.ts";
import { wordsTable } from "./postgres/postings-tables.ts";
import { prefixEnd, stemKey } from "./postgres/weigh-words.ts";
import { splitUnspaced, splitWords } from "./query-words.ts";
import { fts5Holds } from "./sqlite/fts5-search.ts";

/** Only the first words of a long text are matched. */
const MAX_WORDS = 32;

/** SQL condition: contains every word, the last possibly as a prefix. Undefined without words. */
export function holdsWords(kind: IndexedKind, number: SQL, text: string): SQL | undefined {
  const words = splitWords(foldText(text)).flatMap(splitUnspaced).slice(0, MAX_WORDS);
  const begun = words.pop();
  if (begun === undefined) return undefined;
  const requested = { words, begun };
  return byEngine({
    sqlite: fts5Holds(kind, number, requested),
    postgres: postingsHold(kind, number, requested),
  });
}

/** SQL condition: the item contains all words, and one that begins with `begun`. */
function postingsHold(
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
