import type { Tx } from "../../database/index.ts";
import { together } from "../../kernel/together.ts";
import { forEachKind, type IndexedKind } from "../context/indexed-kind.ts";
import { textIndexOf } from "./text-index.ts";
import {
  type MostRows,
  type RowSearch,
  SCORE_DIGITS,
  type Term,
  type TextIndex,
  type TextMatch,
  type TextQuery,
} from "./text-query.ts";
import { findBeginnings } from "./word-beginnings.ts";

/**
 * Ranking a row costs 2 to 5 µs, so a word in a third of a million rows would cost half a second
 * and say nothing: the rarest words are taken while their rows together stay within this. In a
 * conversation of 3 400 turns half or twice as many find the same within 0.1 %, a third 0.3 % less.
 */
const MAX_ROWS = 1500;
/** So many where only some of the rows may be shown: passing over one is cheaper than ranking it. */
const MAX_ROWS_OF_A_PART = 3000;

/**
 * For each kind that is asked for, items that hold any of the rarest words, best first; none of
 * the others. Words are as `queryWords` gives them.
 */
export async function matchTexts(
  tx: Tx,
  words: readonly string[],
  queries: readonly TextQuery[],
): Promise<Record<IndexedKind, TextMatch[]>> {
  const counted = await countTerms(tx, textIndexOf(tx), { words, queries });
  const ranked = await together(
    ...queries.map((query) => matchTerms(tx, counted[query.kind], query)),
  );
  const matches = forEachKind((): TextMatch[] => []);
  for (const [place, { kind }] of queries.entries()) matches[kind] = ranked[place] ?? [];
  return matches;
}

/** Words that occur in a kind, the rarest first, with the rows that hold them. */
export async function termsOf(
  tx: Tx,
  words: readonly string[],
  query: TextQuery,
): Promise<readonly Term[]> {
  return (await countTerms(tx, textIndexOf(tx), { words, queries: [query] }))[query.kind];
}

/** Items that hold any of the rarest of the terms of their kind, best first. */
export async function matchTerms(
  tx: Tx,
  terms: readonly Term[],
  query: TextQuery,
): Promise<TextMatch[]> {
  const index = textIndexOf(tx);
  const found = new Map<number, number>();
  const searches = planSearches(query, terms).map((search) => index.rank(tx, query, search));
  for (const { number, score } of (await together(...searches)).flat()) {
    found.set(number, Math.max(counting(score), found.get(number) ?? 0));
  }
  return Array.from(found, ([number, score]) => ({ number, score })).sort(
    (a, b) => b.score - a.score || b.number - a.number,
  );
}

/** The rarest of the terms of a kind, while the rows that hold them are few enough. */
export function rarestOf(terms: readonly Term[], query: TextQuery): readonly Term[] {
  return rarestTerms(terms, rowsToRank(query));
}

/**
 * What to search for. Where even the rarest word has more rows than are ranked, those that hold all
 * words are ranked first: else the newest rows of one word would hide them.
 */
function planSearches(query: TextQuery, terms: readonly Term[]): RowSearch[] {
  const [rarest] = terms;
  if (rarest === undefined) return [];
  const rows = rowsToRank(query);
  const any: RowSearch = { terms: rarestTerms(terms, rows), every: false, rows };
  const hidden = terms.length > 1 && rarest.rows > rows;
  return hidden ? [{ terms, every: true, rows }, any] : [any];
}

/** Words that occur, rarest first, for each kind; where none holds all of one, its beginning. */
async function countTerms(
  tx: Tx,
  index: TextIndex,
  { words, queries }: { words: readonly string[]; queries: readonly TextQuery[] },
): Promise<Record<IndexedKind, Term[]>> {
  const counted = forEachKind((): Term[] => []);
  if (words.length === 0 || queries.length === 0) return counted;
  const most = mostRows(queries);
  const missing = forEachKind((): string[] => []);
  for (const { kind, word, rows } of await index.countWords(tx, words, most)) {
    if (rows > 0) counted[kind].push({ word, isBeginning: false, rows });
    else if (most[kind] > 0) missing[kind].push(word);
  }
  for (const { kind, beginning, rows } of await findBeginnings(tx, index, { missing, most })) {
    const isKnown = counted[kind].some((term) => term.isBeginning && term.word === beginning);
    if (!isKnown) counted[kind].push({ word: beginning, isBeginning: true, rows });
  }
  for (const terms of Object.values(counted)) terms.sort((a, b) => a.rows - b.rows);
  return counted;
}

function mostRows(queries: readonly TextQuery[]): MostRows {
  const isTimed = queries.some(({ visible }) => visible?.isTimed === true);
  const most = { ...forEachKind(() => 0), isTimed };
  for (const query of queries) most[query.kind] = rowsToRank(query) + 1;
  return most;
}

/** While their rows fit the budget; the rarest always does. */
function rarestTerms(terms: readonly Term[], most: number): readonly Term[] {
  let total = 0;
  const tooMany = terms.findIndex(({ rows }, index) => {
    total += rows;
    return index > 0 && total > most;
  });
  return tooMany < 0 ? terms : terms.slice(0, tooMany);
}

const SCALE = 10 ** SCORE_DIGITS;

/** Equal scores are equal whichever engine has added them up. */
const counting = (score: number): number => Math.round(score * SCALE) / SCALE;

function rowsToRank({ among, visible, rows }: TextQuery): number {
  if (rows !== undefined) return rows;
  return among !== undefined || visible?.isPart === true ? MAX_ROWS_OF_A_PART : MAX_ROWS;
}
