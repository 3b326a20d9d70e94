import { type SQL, sql } from "drizzle-orm";
import {
  listOfRows,
  listOfValues,
  numbersParameter,
  type QueryShape,
  rowQuery,
  rowsParameter,
  type Tx,
} from "../../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { byKind, ITEM_TABLES, type KindsShape, ofKinds } from "../by-kind.ts";
import {
  type BeginningCount,
  listSearchedKinds,
  MAX_MATCHES,
  type RowLimits,
  type RowSearch,
  SCORE_DIGITS,
  type Shortened,
  type TextMatch,
  type TextQuery,
  type WordCount,
} from "../text-query.ts";
import { FULL_VISIBILITY } from "../visibility.ts";
import { wordsTable } from "./postings-tables.ts";
import { prefixEnd, stemKey } from "./weigh-words.ts";

/** Rows per word that are searched for items with all words. */
const MAX_ROWS_TO_COMPARE = 50_000;
/** Items with this many words in common are few enough to rank. */
const MAX_WORDS_TO_COMPARE = 8;

export async function countWords(
  tx: Tx,
  words: readonly string[],
  limit: RowLimits,
): Promise<WordCount[]> {
  const wordKeys = listOfRows(words.map((word) => [word, stemKey(word)]));
  const kinds = listSearchedKinds(limit);
  if (kinds.length === 0) return [];
  const rows = await wordCounts(tx, { asked: wordKeys, ...limit }, ofKinds(kinds));
  return rows.map(([kind, word, count]) => ({ kind, word, rows: count }));
}

const wordCounts = rowQuery<[kind: IndexedKind, word: string, rows: number], KindsShape>(
  ({ kinds }) => {
    const ofKind = (kind: IndexedKind) =>
      sql`select ${sql.raw(`'${kind}'`)} as kind, asked.word, (
      select count(*) from (
        select 1 from ${wordsTable(kind)} held where held.word = asked.key
        limit ${sql.placeholder(kind)}) counted
      ) as rows from (${rowsParameter("asked", { word: "text", key: "text" })}) asked`;
    return sql.join(kinds.map(ofKind), sql` union all `);
  },
);

export async function countBeginnings(
  tx: Tx,
  request: Readonly<Record<IndexedKind, readonly Shortened[]>>,
  limit: RowLimits,
): Promise<BeginningCount[]> {
  const kinds = INDEXED_KINDS.filter((kind) => request[kind].length > 0);
  if (kinds.length === 0) return [];
  const words = kinds.map((kind) => [`${kind}Words`, encodeBeginnings(request[kind])]);
  const values = { ...Object.fromEntries(words), ...limit };
  const rows = await beginningCounts(tx, values, ofKinds(kinds));
  return rows.map(([kind, word, beginning, count]) => ({ kind, word, beginning, rows: count }));
}

function encodeBeginnings(words: readonly Shortened[]) {
  return listOfRows(
    words.flatMap(({ word, shortest, beginnings }) => {
      const least = stemKey(shortest);
      return beginnings.map((beginning) => {
        const key = stemKey(beginning);
        return [word, stemKey(word), beginning, key, prefixEnd(key), least, prefixEnd(least)];
      });
    }),
  );
}

/** Skips longer prefixes if the shortest has no match, and prefixes of words that exist. */
const beginningCounts = rowQuery<
  [kind: IndexedKind, word: string, beginning: string, rows: number],
  KindsShape
>(({ kinds }) => {
  const columns = {
    word: "text",
    word_key: "text",
    beginning: "text",
    key: "text",
    key_end: "text",
    least: "text",
    least_end: "text",
  } as const;
  const ofKind = (kind: IndexedKind) => {
    const table = wordsTable(kind);
    return sql`select ${sql.raw(`'${kind}'`)} as kind, asked.word, asked.beginning, (
        select count(*) from (
          select distinct held.number from ${table} held
          where held.word >= asked.key and held.word < asked.key_end
          limit ${sql.placeholder(kind)}) counted
      ) as rows from (${rowsParameter(`${kind}Words`, columns)}) asked
      where exists (
        select 1 from ${table} held where held.word >= asked.least and held.word < asked.least_end)
      and not exists (select 1 from ${table} held where held.word = asked.word_key)`;
  };
  return sql.join(kinds.map(ofKind), sql` union all `);
});

export async function rankRows(
  tx: Tx,
  query: TextQuery,
  { terms, every, rows }: RowSearch,
): Promise<TextMatch[]> {
  const { kind, allowedNumbers, visible = FULL_VISIBILITY } = query;
  const sought = every ? terms.slice(0, MAX_WORDS_TO_COMPARE) : terms;
  const values = {
    ...visible.values,
    whole: listOfRows(
      sought.flatMap((term) => (term.isBeginning ? [] : [[stemKey(term.word), term.rows]])),
    ),
    begun: listOfRows(
      sought.flatMap(({ word, isBeginning, rows: stored }) =>
        isBeginning ? [[stemKey(word), prefixEnd(stemKey(word)), stored]] : [],
      ),
    ),
    among: allowedNumbers === undefined ? undefined : listOfValues(allowedNumbers),
    ofAWord: every ? MAX_ROWS_TO_COMPARE : rows,
    least: every ? sought.length : 1,
    rows,
    most: query.limit ?? MAX_MATCHES,
  };
  const found = await rankedRows[kind](tx, values, {
    shape: `${allowedNumbers === undefined ? "all" : "among"} ${visible.shape}`,
    isAmong: allowedNumbers !== undefined,
    condition: visible.condition,
  });
  return found.map(([number, score]) => ({ number, score }));
}

interface RankedShape extends QueryShape {
  readonly isAmong: boolean;
  readonly condition: SQL;
}

/** BM25 with SQLite's constants, in float8, since exact decimals are several times slower. */
const BM25_SCORE = sql`sum(
  found.rarity * found.weight * 2.2::float8
  / (found.weight + 1.2::float8
    * (0.25::float8 + 0.75::float8 * found.length * found.items / found.words)))`;

const ROUNDED_SCORE = sql.raw(`round(newest.score * 1e${SCORE_DIGITS}::float8)`);

/** Computes the rarity of each term once instead of per row. */
function weighTerms(terms: SQL, kind: IndexedKind): SQL {
  return sql`(select term.*, totals.items::float8 as items, totals.words::float8 as words,
      greatest(ln((totals.items - term.rows + 0.5)::float8 / (term.rows + 0.5)::float8), 1e-6) as rarity
    from (${terms}) term
    cross join (select items, words from text_totals where kind = ${sql.raw(`'${kind}'`)}) totals
    offset 0) term`;
}

/** Ranks the newest rows and checks visibility in score order, so that most are never checked. */
const rankedRows = byKind((kind) => {
  const table = wordsTable(kind);
  const items = sql.identifier(ITEM_TABLES[kind]);
  return rowQuery<[number: number, score: number], RankedShape>(({ isAmong, condition }) => {
    // "is true" makes PostgreSQL use one hash of the numbers instead of a join per term.
    const within = isAmong
      ? sql` and (held.number in (${numbersParameter("among")})) is true`
      : sql``;
    const newest = sql`order by held.number desc limit ${sql.placeholder("ofAWord")}`;
    const ofTerm = sql`term.rarity, term.items, term.words`;
    return sql`select ranked.number, ranked.score from (
      select newest.number, newest.score, ${ROUNDED_SCORE} as counting from (
        select found.number, ${BM25_SCORE} as score from (
          select ${ofTerm}, held.number, held.weight, held.length
          from ${weighTerms(rowsParameter("whole", { word: "text", rows: "number" }), kind)}
          cross join lateral (
            select held.number, held.weight, held.length from ${table} held
            where held.word = term.word${within} ${newest}) held
          union all
          select ${ofTerm}, held.number, held.weight, held.length
          from ${weighTerms(rowsParameter("begun", { word: "text", word_end: "text", rows: "number" }), kind)}
          cross join lateral (
            select held.number, sum(held.weight) as weight, max(held.length) as length
            from ${table} held where held.word >= term.word and held.word < term.word_end${within}
            group by held.number ${newest}) held
        ) found
        group by found.number having count(*) >= ${sql.placeholder("least")}
        order by found.number desc limit ${sql.placeholder("rows")}
      ) newest order by counting desc, newest.number desc
    ) ranked join ${items} on ${items}.id = ranked.number where ${condition}
    order by ranked.counting desc, ranked.number desc limit ${sql.placeholder("most")}`;
  });
});
