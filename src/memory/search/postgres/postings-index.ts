import { sql } from "drizzle-orm";
import { listOfRows, numberSet, rowSet, rowsOf, type Tx } from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import type { IndexedItem } from "../load-searchable.ts";
import type { TextIndex } from "../text-query.ts";
import { findTextProblems } from "./check-texts.ts";
import { countBeginnings, countWords, rankRows } from "./postings-search.ts";
import { itemsTable, wordsTable } from "./postings-tables.ts";
import { countUnits } from "./postings-units.ts";
import { keyOf, weighWords } from "./words-of-text.ts";

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
