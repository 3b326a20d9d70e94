import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { meta } from "../context/meta.table.ts";
import { activeNumbers, itemTable, loadInSlices } from "./indexed-items.ts";
import { postingsIndex } from "./postgres/postings-index.ts";
import { fts5Index } from "./sqlite/fts5-index.ts";
import {
  type BeginningCount,
  loadSearchable,
  type RowLimits,
  type RowSearch,
  SCORE_DIGITS,
  type Shortened,
  type Term,
  type TextIndex,
  type TextMatch,
  type TextQuery,
} from "./text-query.ts";

const TEXT_INDEXES = { sqlite: fts5Index, postgres: postingsIndex } as const;

export function getTextIndex(tx: Tx): TextIndex {
  return TEXT_INDEXES[tx.engine];
}

export async function rebuildTextIndex(tx: Tx, kind: IndexedKind): Promise<void> {
  const index = getTextIndex(tx);
  await index.rebuild(tx, kind);
  await loadInSlices(await activeNumbers(tx, kind), async (slice) => {
    await index.add(tx, kind, await loadSearchable(tx, kind, slice));
  });
}

/**
 * Set by migrations that change text indexing: by kind, the last number indexed by the new rules.
 */
const REFRESH_KEY = "texts_refreshed";
const TEXTS_PER_SLICE = 200;

export async function textsAreStale(tx: Tx): Promise<boolean> {
  return (await tx.select().from(meta).where(eq(meta.key, REFRESH_KEY))).length > 0;
}

/** Returns true if the index counts deleted items, as databases of earlier versions did. */
export async function countsAreWrong(tx: Tx): Promise<boolean> {
  const index = getTextIndex(tx);
  for (const kind of INDEXED_KINDS) {
    if ((await index.countsItsRows?.(tx, kind)) === false) return true;
  }
  return false;
}

export async function recountTexts(tx: Tx): Promise<void> {
  for (const kind of INDEXED_KINDS) await getTextIndex(tx).recount?.(tx, kind);
}

export async function refreshTexts(tx: Tx): Promise<boolean> {
  const [row] = await tx.select().from(meta).where(eq(meta.key, REFRESH_KEY));
  if (row === undefined) return false;
  const reached = JSON.parse(row.value) as Partial<Record<IndexedKind, number>>;
  for (const kind of INDEXED_KINDS) {
    const numbers = await loadNumbersAfter(tx, kind, reached[kind] ?? 0);
    await getTextIndex(tx).remove(tx, kind, numbers);
    await getTextIndex(tx).add(tx, kind, await loadSearchable(tx, kind, numbers));
    const last = numbers.at(-1);
    if (last === undefined || numbers.length < TEXTS_PER_SLICE) continue;
    const value = JSON.stringify({ ...reached, [kind]: last });
    await tx.update(meta).set({ value }).where(eq(meta.key, REFRESH_KEY));
    return true;
  }
  await textsAreFresh(tx);
  return false;
}

/** Records that every item is indexed by the current rules. */
export async function textsAreFresh(tx: Tx): Promise<void> {
  await tx.delete(meta).where(eq(meta.key, REFRESH_KEY));
}

async function loadNumbersAfter(tx: Tx, kind: IndexedKind, after: number): Promise<number[]> {
  const table = itemTable(kind);
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(isNull(table.deletedAt), gt(table.id, after)))
    .orderBy(asc(table.id))
    .limit(TEXTS_PER_SLICE);
  return rows.map(({ id }) => id);
}

/** Shorter prefixes are shared by unrelated words. */
const MIN_PREFIX_LETTERS = 5;
/** Minimum prefix share: `Datenbank` is nine of the nineteen letters of `Datenbankverbindung`. */
const MIN_RATIO = 0.45;
const LETTERS_ONLY = /^\p{L}+$/u;
const MAX_SHORTENED_LETTERS = 80;

/** Replaces unmatched words by their longest indexed prefix, since only English is stemmed. */
async function findBeginnings(
  tx: Tx,
  index: TextIndex,
  {
    missing,
    limit,
  }: { missing: Readonly<Record<IndexedKind, readonly string[]>>; limit: RowLimits },
): Promise<BeginningCount[]> {
  const shorter = forEachKind((kind) => missing[kind].flatMap(listShortenings));
  if (INDEXED_KINDS.every((kind) => shorter[kind].length === 0)) return [];
  const longest = new Map<string, BeginningCount>();
  for (const count of await index.countBeginnings(tx, shorter, limit)) {
    const key = `${count.kind} ${count.word}`;
    const known = longest.get(key);
    if (count.rows === 0 || (known?.beginning.length ?? 0) >= count.beginning.length) continue;
    longest.set(key, count);
  }
  return [...longest.values()];
}

/** Returns the prefixes to search for; none for an overlong word. */
export function listShortenings(word: string): Shortened[] {
  if (word.length > MAX_SHORTENED_LETTERS || !LETTERS_ONLY.test(word)) return [];
  const least = Math.max(MIN_PREFIX_LETTERS, Math.ceil(word.length * MIN_RATIO));
  const beginnings = Array.from({ length: Math.max(0, word.length - least + 1) }, (_, less) =>
    word.slice(0, word.length - less),
  );
  const shortest = beginnings.at(-1);
  return shortest === undefined ? [] : [{ word, shortest, beginnings }];
}

/**
 * Maximum rows ranked. A row costs 2 to 5 µs, so a word in a third of a million rows would cost
 * half a second without being informative: the rarest words are used while their rows stay within
 * this limit. In a conversation of 3 400 turns, half or twice the limit changes results by 0.1 %, a
 * third of it by 0.3 %.
 */
const MAX_ROWS = 1500;
/** Limit for restricted searches: skipping a row is cheaper than ranking it. */
const MAX_ROWS_OF_A_PART = 3000;

type AllowedNumbers = Partial<Readonly<Record<IndexedKind, readonly number[] | undefined>>>;

const UNRESTRICTED: Promise<AllowedNumbers> = Promise.resolve({});

/** Terms of each kind with row counts, rarest first. */
export type CountedTerms = Readonly<Record<IndexedKind, readonly Term[]>>;

export interface KnownOfSearch {
  readonly allowedNumbers?: Promise<AllowedNumbers>;
  /** Result of `countTermsOf` for the same words and kinds; ignored in restricted searches. */
  readonly counted?: CountedTerms | undefined;
}

/** Finds items with any of the rarest words, best first. Words have the form of `parseQueryWords`. */
export async function matchTexts(
  tx: Tx,
  words: readonly string[],
  queries: readonly TextQuery[],
  { allowedNumbers = UNRESTRICTED, counted: known }: KnownOfSearch = {},
): Promise<Record<IndexedKind, TextMatch[]>> {
  const suits =
    known !== undefined && queries.every((query) => countRowsToRank(query) === MAX_ROWS);
  const [counted, only] = await settleAll(
    suits ? Promise.resolve(known) : countTerms(tx, getTextIndex(tx), { words, queries }),
    allowedNumbers,
  );
  const ranked = await settleAll(
    ...queries.map((query) =>
      matchTerms(tx, counted[query.kind], {
        ...query,
        allowedNumbers: only[query.kind] ?? query.allowedNumbers,
      }),
    ),
  );
  const matches = forEachKind((): TextMatch[] => []);
  for (const [index, { kind }] of queries.entries()) matches[kind] = ranked[index] ?? [];
  return matches;
}

export function countTermsOfKinds(
  tx: Tx,
  words: readonly string[],
  kinds: readonly IndexedKind[],
): Promise<CountedTerms> {
  return countTerms(tx, getTextIndex(tx), { words, queries: kinds.map((kind) => ({ kind })) });
}

/** Returns the words that occur in a kind with row counts, rarest first. */
export async function loadTerms(
  tx: Tx,
  words: readonly string[],
  query: TextQuery,
): Promise<readonly Term[]> {
  return (await countTerms(tx, getTextIndex(tx), { words, queries: [query] }))[query.kind];
}

export async function matchTerms(
  tx: Tx,
  terms: readonly Term[],
  query: TextQuery,
): Promise<TextMatch[]> {
  const index = getTextIndex(tx);
  const found = new Map<number, number>();
  const searches = planSearches(query, terms).map((search) => index.rank(tx, query, search));
  for (const { number, score } of (await settleAll(...searches)).flat()) {
    found.set(number, Math.max(roundScore(score), found.get(number) ?? 0));
  }
  return Array.from(found, ([number, score]) => ({ number, score })).sort(
    (a, b) => b.score - a.score || b.number - a.number,
  );
}

export function selectRarest(terms: readonly Term[], query: TextQuery): readonly Term[] {
  return selectRarestTerms(terms, countRowsToRank(query));
}

/**
 * Plans the searches. If even the rarest word exceeds the row limit, rows with all words are ranked
 * first; otherwise the newest rows of one word would hide them.
 */
function planSearches(query: TextQuery, terms: readonly Term[]): RowSearch[] {
  const [rarest] = terms;
  if (rarest === undefined) return [];
  const rows = countRowsToRank(query);
  const any: RowSearch = { terms: selectRarestTerms(terms, rows), every: false, rows };
  const hidden = terms.length > 1 && rarest.rows > rows;
  return hidden ? [{ terms, every: true, rows }, any] : [any];
}

/** Counts words by kind, rarest first. A word without matches is replaced by its prefix. */
async function countTerms(
  tx: Tx,
  index: TextIndex,
  { words, queries }: { words: readonly string[]; queries: readonly TextQuery[] },
): Promise<Record<IndexedKind, Term[]>> {
  const counted = forEachKind((): Term[] => []);
  if (words.length === 0 || queries.length === 0) return counted;
  const limit = maxRows(queries);
  const missing = forEachKind((): string[] => []);
  const ofEachKind = forEachKind((kind) => (limit[kind] > 0 ? words : []));
  const [counts, ahead] = await settleAll(
    index.countWords(tx, words, limit),
    index.looksAhead
      ? findBeginnings(tx, index, { missing: ofEachKind, limit: limit })
      : Promise.resolve(undefined),
  );
  for (const { kind, word, rows } of counts) {
    if (rows > 0) counted[kind].push({ word, isBeginning: false, rows });
    else if (limit[kind] > 0) missing[kind].push(word);
  }
  const beginnings = ahead ?? (await findBeginnings(tx, index, { missing, limit: limit }));
  for (const { kind, beginning, rows } of beginnings) {
    const isKnown = counted[kind].some((term) => term.isBeginning && term.word === beginning);
    if (!isKnown) counted[kind].push({ word: beginning, isBeginning: true, rows });
  }
  for (const terms of Object.values(counted)) terms.sort((a, b) => a.rows - b.rows);
  return counted;
}

function maxRows(queries: readonly TextQuery[]): RowLimits {
  const isTimed = queries.some(({ visible }) => visible?.isTimed === true);
  const limit = { ...forEachKind(() => 0), isTimed };
  for (const query of queries) limit[query.kind] = countRowsToRank(query) + 1;
  return limit;
}

/** Always returns at least one term. */
function selectRarestTerms(terms: readonly Term[], limit: number): readonly Term[] {
  let total = 0;
  const tooMany = terms.findIndex(({ rows }, index) => {
    total += rows;
    return index > 0 && total > limit;
  });
  return tooMany < 0 ? terms : terms.slice(0, tooMany);
}

const SCORE_SCALE = 10 ** SCORE_DIGITS;

/** Rounds scores, so that equal scores are equal regardless of summation order. */
const roundScore = (score: number): number => Math.round(score * SCORE_SCALE) / SCORE_SCALE;

function countRowsToRank({ allowedNumbers, visible, rows }: TextQuery): number {
  if (rows !== undefined) return rows;
  return allowedNumbers !== undefined || visible?.isPart === true ? MAX_ROWS_OF_A_PART : MAX_ROWS;
}
