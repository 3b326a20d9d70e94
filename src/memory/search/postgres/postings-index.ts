import { sql } from "drizzle-orm";
import {
  listOfRows,
  listOfValues,
  numberSet,
  numbersNamed,
  rowQuery,
  rowSet,
  rowsNamed,
  rowsOf,
  type Tx,
} from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { byKind } from "../by-kind.ts";
import type { IndexedItem } from "../load-searchable.ts";
import type { TextIndex } from "../text-query.ts";
import { findTextProblems } from "./check-texts.ts";
import { countBeginnings, countWords, rankRows } from "./postings-search.ts";
import { itemsTable, wordsTable } from "./postings-tables.ts";
import { countUnits } from "./postings-units.ts";
import { endOf, keyOf, weighWords } from "./words-of-text.ts";

/**
 * Stores a row for each word of each item. This gives the same ranking as SQLite's full-text index, which
 * PostgreSQL's own full-text search lacks.
 */
export const postingsIndex: TextIndex = {
  add: addItems,
  remove: removeItems,

  async makeAnew(tx, kind) {
    await tx.run(sql`truncate ${wordsTable(kind)}, ${itemsTable(kind)}`);
    await tx.run(sql`delete from text_totals where kind = ${kind}`);
  },

  countWords,
  countBeginnings,
  looksAhead: true,
  rank: rankRows,
  newestHolding: (kind, word) =>
    sql`select number from ${wordsTable(kind)} where word = ${sql.raw(`'${word}'`)} order by number desc`,
  countUnits,

  async termsHeld(tx, kind, { terms, numbers }) {
    const rowsOf = (isBeginning: boolean) =>
      listOfRows(
        terms.flatMap((term, place) => {
          const key = keyOf(term.word);
          return term.isBeginning === isBeginning ? [[place, key, endOf(key)]] : [];
        }),
      );
    const rows = await heldTerms[kind](tx, {
      whole: rowsOf(false),
      begun: rowsOf(true),
      numbers: listOfValues(numbers),
    });
    return rows.map(([term, number]) => ({ term, number }));
  },

  async wordsHeld(tx, { kind, number }, words) {
    const rows = await rowsOf<[word: string]>(
      tx,
      sql`select unnest(words) as word from ${itemsTable(kind)} where number = ${number}`,
    );
    const held = new Set(rows.map(([word]) => word));
    return words.filter((word) => held.has(keyOf(word)));
  },

  findProblems: findTextProblems,
};

const TERM_COLUMNS = { term: "number", word: "text", word_end: "text" } as const;

const heldTerms = byKind((kind) => {
  const words = wordsTable(kind);
  const among = sql`(words.number in (${numbersNamed("numbers")})) is true`;
  return rowQuery<[term: number, number: number]>(
    () => sql`select whole.term, words.number from (${rowsNamed("whole", TERM_COLUMNS)}) whole
      join ${words} words on words.word = whole.word where ${among}
      union
      select begun.term, words.number from (${rowsNamed("begun", TERM_COLUMNS)}) begun
      join ${words} words on words.word >= begun.word and words.word < begun.word_end where ${among}`,
  );
});

async function addItems(tx: Tx, kind: IndexedKind, items: readonly IndexedItem[]): Promise<void> {
  if (items.length === 0) return;
  const weighed = items.map(({ number, text }) => ({ number, ...weighWords(text) }));
  const given = listOfRows(weighed.map(({ number, length }) => [number, length]));
  const postings = listOfRows(
    weighed.flatMap(({ number, weights }) =>
      Array.from(weights, ([word, weight]) => [number, word, weight]),
    ),
  );
  await tx.run(sql`
    with given as materialized (
      ${rowSet(given, { number: "number", length: "number" })}
    ), postings as materialized (
      ${rowSet(postings, { number: "number", word: "text", weight: "number" })}
    ), of_items as (
      select number, array_agg(word) as words from postings group by number
    ), items as (
      insert into ${itemsTable(kind)} (number, length, words)
      select given.number, given.length, coalesce(of_items.words, '{}')
      from given left join of_items on of_items.number = given.number
    ), words as (
      insert into ${wordsTable(kind)} (word, number, weight, length)
      select postings.word, postings.number, postings.weight, given.length
      from postings join given on given.number = postings.number
    )
    insert into text_totals (kind, items, words)
    select ${kind}, count(*), sum(length) from given
    on conflict (kind) do update set items = text_totals.items + excluded.items,
      words = text_totals.words + excluded.words`);
}

async function removeItems(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const words = wordsTable(kind);
  await tx.run(sql`
    with gone as (
      delete from ${itemsTable(kind)} where number in (${numberSet(numbers)})
      returning number, length, words
    ), held as (
      select number, unnest(words) as word from gone
    ), words as (
      delete from ${words} using held
      where ${words}.word = held.word and ${words}.number = held.number
    )
    update text_totals set items = items - (select count(*) from gone),
      words = words - (select coalesce(sum(length), 0) from gone)
    where kind = ${kind}`);
}
