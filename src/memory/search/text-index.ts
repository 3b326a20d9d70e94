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
import { findBeginning } from "./word-beginnings.ts";

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
  /** As `queryWords` gives them. */
  readonly words: readonly string[];
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

/** Items that hold any of the rarest words, best first. */
export async function matchText(tx: Tx, query: TextQuery): Promise<TextMatch[]> {
  const searches = await planSearches(tx, query);
  const found = new Map<number, number>();
  for (const expression of searches) {
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
async function planSearches(tx: Tx, query: TextQuery): Promise<string[]> {
  const words = await countWords(tx, query);
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

/** Words that occur, rarest first. */
async function countWords(tx: Tx, query: TextQuery): Promise<CountedWord[]> {
  if (query.words.length === 0) return [];
  const most = rowsToRank(query) + 1;
  const words = listOfValues(query.words);
  const counted = new Map<string, CountedWord>();
  for (const [word, rows] of await wordCounts[query.kind](tx, { words, most })) {
    if (rows > 0) counted.set(quote(word), { expression: quote(word), rows });
    const begun = rows > 0 ? undefined : await findBeginning(tx, query.kind, { word, most });
    if (begun === undefined) continue;
    const expression = `${quote(begun.beginning)}*`;
    counted.set(expression, { expression, rows: begun.rows });
  }
  return [...counted.values()].sort((a, b) => a.rows - b.rows);
}

const wordCounts = byKind((kind) => {
  const table = textTable(kind);
  return rowQuery<[word: string, rows: number]>(
    () => sql`select word.value, (
      select count(*) from (
        select 1 from ${table} where ${table} match '"' || word.value || '"'
        limit ${sql.placeholder("most")}
      )) from json_each(${sql.placeholder("words")}) word`,
  );
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
