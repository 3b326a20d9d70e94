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
import { wordsTable } from "./postings-tables.ts";
import { endOf, keyOf } from "./words-of-text.ts";

export async function countUnits(
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
  const values = { ...visible.values, whole: rowsOf(false), begun: rowsOf(true) };
  const rows = await unitCounts(tx, values, { shape: visible.shape, visible });
  return rows.map(([term, unit, passages]) => ({ term, unit, passages }));
}

interface UnitShape extends QueryShape {
  readonly visible: Visibility;
}

const COLUMNS = { term: "number", word: "text", word_end: "text" } as const;

const unitCounts = rowQuery<[term: number, unit: number, passages: number], UnitShape>(
  ({ visible }) => {
    const words = wordsTable("passage");
    return sql`select held.term, ${UNIT_OF_PASSAGE} as unit, count(*)
      from (
        select whole.term, words.number from (${rowsNamed("whole", COLUMNS)}) whole
        join ${words} words on words.word = whole.word
        union
        select begun.term, words.number from (${rowsNamed("begun", COLUMNS)}) begun
        join ${words} words on words.word >= begun.word and words.word < begun.word_end
      ) held
      join passages on passages.id = held.number
      where ${visible.condition} group by held.term, unit`;
  },
);
