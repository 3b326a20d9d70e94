import type { SQL } from "drizzle-orm";
import { byEngine } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { foldText } from "./fold-text.ts";
import { postingsHold } from "./postgres/postings-filter.ts";
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
