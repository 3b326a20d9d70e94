import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  insertRows,
  listOfValues,
  preparedQuery,
  type QueryShape,
  rowQuery,
  type Tx,
  valuesNamed,
} from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { byKind, ITEM_TABLES } from "./by-kind.ts";
import type { SearchableText } from "./searchable-text.ts";
import { EVERYTHING, type Visibility } from "./visibility.ts";
import { findBeginnings } from "./word-beginnings.ts";

/** Name of the full-text table of a kind. SQLite only, as everything in this file. */
export const textTable = (kind: IndexedKind) => sql.identifier(`${kind}_text`);

/** Adds items that the index does not hold. */
export function addTexts(
  tx: Tx,
  kind: IndexedKind,
  items: readonly { number: number; text: SearchableText }[],
): Promise<void> {
  const rows = items.map(({ number, text }) => ({ rowid: number, ...text }));
  return insertTexts[kind](tx, rows);
}

export async function removeTexts(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length > 0) await deleteTexts[kind](tx).execute({ numbers: listOfValues(numbers) });
}

/** The full-text table of a kind as Drizzle can write it. */
const textRows = byKind((kind) =>
  sqliteTable(`${kind}_text`, {
    rowid: integer("rowid"),
    content: text("content"),
    context: text("context"),
  }),
);

const insertTexts = byKind((kind) => insertRows(textRows[kind]));

const deleteTexts = byKind((kind) =>
  preparedQuery((tx) =>
    tx
      .delete(textRows[kind])
      .where(sql`rowid in (${valuesNamed("numbers")})`)
      .prepare(),
  ),
);

/**
 * Ranking a row costs 2 to 5 µs, so a word in a third of a million rows would cost half a second
 * and say nothing: the rarest words are taken while their rows together stay within this.
 */
const MAX_ROWS = 3000;
/** So many where only some of the rows may be shown: passing over one is cheaper than ranking it. */
const MAX_ROWS_OF_A_PART = 6000;
/** Names and dates are worth more than words of the content. */
const CONTEXT_WEIGHT = 2;

export interface TextQuery {
  readonly kind: IndexedKind;
  /** Numbers of the only items that may be found. */
  readonly among?: readonly number[] | undefined;
  /** What of the rest may be found; default all. */
  readonly visible?: Visibility | undefined;
  /** At most so many, the best; default 200. */
  readonly most?: number | undefined;
}

export interface TextMatch {
  readonly number: number;
  /** BM25; higher is better, above 0. */
  readonly score: number;
}

const MOST = 200;

/**
 * For each kind that is asked for, items that hold any of the rarest words, best first; none of
 * the others. Words are as `queryWords` gives them.
 */
export async function matchTexts(
  tx: Tx,
  words: readonly string[],
  queries: readonly TextQuery[],
): Promise<Record<IndexedKind, TextMatch[]>> {
  const matches: Record<IndexedKind, TextMatch[]> = { episode: [], concept: [] };
  const counted = await countWords(tx, words, queries);
  for (const query of queries) {
    matches[query.kind] = await rankMatches(tx, query, counted[query.kind]);
  }
  return matches;
}

async function rankMatches(
  tx: Tx,
  query: TextQuery,
  words: readonly CountedWord[],
): Promise<TextMatch[]> {
  const found = new Map<number, number>();
  for (const expression of planSearches(query, words)) {
    for (const { number, score } of await rankRows(tx, query, expression)) {
      found.set(number, Math.max(score, found.get(number) ?? 0));
    }
  }
  return Array.from(found, ([number, score]) => ({ number, score })).sort(
    (a, b) => b.score - a.score || b.number - a.number,
  );
}

/**
 * The expressions to search for. Where even the rarest word has more rows than are ranked, those
 * that hold all words are ranked first: else the newest rows of one word would hide them.
 */
function planSearches(query: TextQuery, words: readonly CountedWord[]): string[] {
  const [rarest] = words;
  if (rarest === undefined) return [];
  const most = rowsToRank(query);
  const kept = rarestWords(words, most).map(({ expression }) => expression);
  const hidden = words.length > 1 && rarest.rows > most;
  const together = words.map(({ expression }) => expression).join(" AND ");
  return [...(hidden ? [together] : []), kept.join(" OR ")];
}

interface CountedWord {
  /** The word, or its beginning where no item holds all of it, as FTS5 reads it. */
  readonly expression: string;
  /** At most one more than are ranked. */
  readonly rows: number;
}

/** Words that occur, rarest first, for each kind. */
async function countWords(
  tx: Tx,
  words: readonly string[],
  queries: readonly TextQuery[],
): Promise<Record<IndexedKind, CountedWord[]>> {
  const counted = { episode: new Map<string, CountedWord>(), concept: new Map() };
  if (words.length === 0 || queries.length === 0) return { episode: [], concept: [] };
  const most = { episode: 0, concept: 0 };
  for (const query of queries) most[query.kind] = rowsToRank(query) + 1;
  const missing: Record<IndexedKind, string[]> = { episode: [], concept: [] };
  const rows = await wordCounts(tx, { words: listOfValues(words), ...most });
  for (const [kind, word, count] of rows) {
    if (count > 0) counted[kind].set(quote(word), { expression: quote(word), rows: count });
    else if (most[kind] > 0) missing[kind].push(word);
  }
  const begun = await findBeginnings(tx, missing, most);
  for (const { kind, beginning, rows: count } of begun) {
    const expression = `${quote(beginning)}*`;
    counted[kind].set(expression, { expression, rows: count });
  }
  const rarestFirst = (found: Map<string, CountedWord>) =>
    [...found.values()].sort((a, b) => a.rows - b.rows);
  return { episode: rarestFirst(counted.episode), concept: rarestFirst(counted.concept) };
}

const wordCounts = rowQuery<[kind: IndexedKind, word: string, rows: number]>(() => {
  const ofKind = (kind: IndexedKind) => {
    const table = textTable(kind);
    return sql`select ${sql.raw(`'${kind}'`)} as kind, word.value, (
      select count(*) from (
        select 1 from ${table} where ${table} match '"' || word.value || '"'
        limit ${sql.placeholder(kind)}
      )) as rows from json_each(${sql.placeholder("words")}) word`;
  };
  return sql`${ofKind("episode")} union all ${ofKind("concept")}`;
});

/** While their rows fit the budget; the rarest always does. */
function rarestWords(words: readonly CountedWord[], most: number): readonly CountedWord[] {
  let total = 0;
  const tooMany = words.findIndex(({ rows }, index) => {
    total += rows;
    return index > 0 && total > most;
  });
  return tooMany < 0 ? words : words.slice(0, tooMany);
}

function rowsToRank({ among, visible }: TextQuery): number {
  return among !== undefined || visible?.isPart === true ? MAX_ROWS_OF_A_PART : MAX_ROWS;
}

async function rankRows(tx: Tx, query: TextQuery, expression: string): Promise<TextMatch[]> {
  const { kind, among, visible = EVERYTHING } = query;
  const shape = `${among === undefined ? "all" : "among"} ${visible.shape}`;
  const values = {
    ...visible.values,
    expression,
    among: among === undefined ? undefined : listOfValues(among),
    rows: rowsToRank(query),
    most: query.most ?? MOST,
  };
  const rows = await rankedRows[kind](tx, values, {
    shape,
    isAmong: among !== undefined,
    condition: visible.condition,
  });
  return rows.map(([number, score]) => ({ number, score }));
}

interface RankedShape extends QueryShape {
  readonly isAmong: boolean;
  readonly condition: SQL;
}

/**
 * The newest rows are ranked, and the best of those that may be shown are taken. Each is looked at
 * in the order of the scores, so that most of them never are. That order holds by the second limit
 * alone: SQLite drops the order of a subquery that has none. The plus keeps the set out of the
 * full-text index, which would otherwise be asked once for every number of it.
 */
const rankedRows = byKind((kind) => {
  const table = textTable(kind);
  const items = sql.identifier(ITEM_TABLES[kind]);
  return rowQuery<[number: number, score: number], RankedShape>(({ isAmong, condition }) => {
    const within = isAmong ? sql` and +rowid in (${valuesNamed("among")})` : sql``;
    return sql`select ranked.number, ranked.score from (
      select number, score from (
        select rowid as number, -bm25(${table}, 1.0, ${sql.raw(String(CONTEXT_WEIGHT))}) as score
        from ${table} where ${table} match ${sql.placeholder("expression")}${within}
        order by rowid desc limit ${sql.placeholder("rows")}
      ) where score > 0 order by score desc, number desc limit ${sql.placeholder("rows")}
    ) ranked cross join ${items} on ${items}.id = ranked.number
    where ${condition} limit ${sql.placeholder("most")}`;
  });
});

function quote(word: string): string {
  return `"${word}"`;
}
