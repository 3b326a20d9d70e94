import { sql } from "drizzle-orm";
import { listOfRows, rowsNamed, type Tx } from "../../../database/index.ts";
import type { Term, UnitCount } from "../text-query.ts";
import { unitCounts } from "../unit-of-passage.ts";
import type { Visibility } from "../visibility.ts";
import { wordsTable } from "./postings-tables.ts";
import { endOf, keyOf } from "./words-of-text.ts";

export function countUnits(
  tx: Tx,
  terms: readonly Term[],
  visible: Visibility,
): Promise<UnitCount[]> {
  const rowsOf = (isBeginning: boolean) =>
    listOfRows(
      terms.flatMap((term, place) => {
        const key = keyOf(term.word);
        return term.isBeginning === isBeginning ? [[place, key, endOf(key)]] : [];
      }),
    );
  return countHeld(tx, visible, { whole: rowsOf(false), begun: rowsOf(true) });
}

const COLUMNS = { term: "number", word: "text", word_end: "text" } as const;

const countHeld = unitCounts(() => {
  const words = wordsTable("passage");
  return {
    term: sql`held.term`,
    from: sql`(
        select whole.term, words.number from (${rowsNamed("whole", COLUMNS)}) whole
        join ${words} words on words.word = whole.word
        union
        select begun.term, words.number from (${rowsNamed("begun", COLUMNS)}) begun
        join ${words} words on words.word >= begun.word and words.word < begun.word_end
      ) held
      join passages on passages.id = held.number`,
  };
});
