import { type SQL, sql } from "drizzle-orm";
import {
  limitNamed,
  listOfRows,
  listOfValues,
  numbersParameter,
  rowQuery,
  rowsParameter,
  type Tx,
  textsParameter,
} from "../../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { byKind, ITEM_TABLES } from "../by-kind.ts";
import {
  type BeginningCount,
  listSearchedKinds,
  MAX_MATCHES,
  type RowLimits,
  type RowSearch,
  SCORE_DIGITS,
  type Shortened,
  type Term,
  type TextMatch,
  type TextQuery,
  type UnitCount,
  unitCounts,
  type WordCount,
} from "../text-query.ts";
import { FULL_VISIBILITY, type Visibility } from "../visibility.ts";
import {
  type TimedKindsShape,
  type TimedShape,
  timedKinds,
  whileWithinTime,
} from "./timed-search.ts";

export const textTable = (kind: IndexedKind) => sql.identifier(`${kind}_text`);

export function buildExpression({ terms, every }: Pick<RowSearch, "terms" | "every">): string {
  return terms
    .map(({ word, isBeginning }) => (isBeginning ? `"${word}"*` : `"${word}"`))
    .join(every ? " AND " : " OR ");
}

/** SQL condition: the item contains all words, and one that begins with `begun`. */
export function fts5Contains(
  kind: IndexedKind,
  number: SQL,
  { words, begun }: { readonly words: readonly string[]; readonly begun: string },
): SQL {
  const all = [...words.map((word) => `"${word}"`), `("${begun}" OR "${begun}"*)`].join(" AND ");
  const table = textTable(kind);
  return sql`${number} in (select rowid from ${table} where ${table} match ${all})`;
}

export function countUnits(
  tx: Tx,
  terms: readonly Term[],
  visible: Visibility,
): Promise<UnitCount[]> {
  const requests = terms.map((term, index) => [
    index,
    buildExpression({ terms: [term], every: false }),
  ]);
  return countRequested(tx, visible, { asked: listOfRows(requests) });
}

const countRequested = unitCounts(() => {
  const table = textTable("passage");
  return {
    term: sql`asked.term`,
    from: sql`(${rowsParameter("asked", { term: "number", expression: "text" })}) asked
      cross join ${table} on ${table} match asked.expression
      cross join passages on passages.id = ${table}.rowid`,
  };
});

const CONTEXT_WEIGHT = 2;

export async function countWords(
  tx: Tx,
  words: readonly string[],
  limit: RowLimits,
): Promise<WordCount[]> {
  const kinds = listSearchedKinds(limit);
  if (kinds.length === 0) return [];
  const values = { words: listOfValues(words), ...limit };
  const rows = await wordCounts(tx, values, timedKinds(kinds, limit.isTimed));
  return rows.map(([kind, word, count]) => ({ kind, word, rows: count }));
}

const wordCounts = rowQuery<[kind: IndexedKind, word: string, rows: number], TimedKindsShape>(
  ({ kinds, isTimed }) => {
    const ofKind = (kind: IndexedKind) => {
      const table = textTable(kind);
      return sql`select ${sql.raw(`'${kind}'`)} as kind, word.value, (
      select count(*) from (
        select 1 from ${table} where ${table} match '"' || word.value || '"'${whileWithinTime(table, isTimed)}
        limit ${limitNamed(kind)}
      )) as rows from (${textsParameter("words")}) word`;
    };
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
  const words = kinds.map((kind) => [`${kind}Words`, encodeShortened(request[kind])]);
  const values = { ...Object.fromEntries(words), ...limit };
  const rows = await rowsOfBeginnings(tx, values, timedKinds(kinds, limit.isTimed));
  return rows.map(([kind, word, beginning, count]) => ({ kind, word, beginning, rows: count }));
}

function encodeShortened(words: readonly Shortened[]): string {
  return JSON.stringify(
    words.map(({ word, shortest, beginnings }) => [word, shortest, beginnings]),
  );
}

/** Skips longer prefixes if the shortest has no match. */
const rowsOfBeginnings = rowQuery<
  [kind: IndexedKind, word: string, beginning: string, rows: number],
  TimedKindsShape
>(({ kinds, isTimed }) => {
  const ofKind = (kind: IndexedKind) => {
    const table = textTable(kind);
    return sql`select ${sql.raw(`'${kind}'`)} as kind, json_extract(asked.value, '$[0]') as word, begun.value, (
        select count(*) from (
          select 1 from ${table} where ${table} match '"' || begun.value || '"*'${whileWithinTime(table, isTimed)}
          limit ${limitNamed(kind)})) as rows
      from json_each(${sql.placeholder(`${kind}Words`)}) asked
      cross join json_each(asked.value, '$[2]') begun
      where exists (select 1 from ${table}
        where ${table} match '"' || json_extract(asked.value, '$[1]') || '"*')`;
  };
  return sql.join(kinds.map(ofKind), sql` union all `);
});

export async function rankRows(tx: Tx, query: TextQuery, search: RowSearch): Promise<TextMatch[]> {
  const { kind, allowedNumbers, visible = FULL_VISIBILITY } = query;
  const shape = `${allowedNumbers === undefined ? "all" : "among"} ${visible.shape}`;
  const values = {
    ...visible.values,
    expression: buildExpression(search),
    among: allowedNumbers === undefined ? undefined : listOfValues(allowedNumbers),
    rows: search.rows,
    most: query.limit ?? MAX_MATCHES,
  };
  const rows = await rankedRows[kind](tx, values, {
    shape,
    isAmong: allowedNumbers !== undefined,
    isTimed: visible.isTimed,
    condition: visible.condition,
  });
  return rows.map(([number, score]) => ({ number, score }));
}

interface RankedShape extends TimedShape {
  readonly isAmong: boolean;
  readonly condition: SQL;
}

/** Rounds scores, so that equal ones are equal; `round` converts to text and back. */
const ROUNDED_SCORE = sql.raw(`cast(score * 1e${SCORE_DIGITS} + 0.5 as integer)`);

/**
 * Ranks the newest rows and returns the best visible ones. Visibility is checked in score order, so
 * that most rows are never checked. The inner limit preserves the order, which SQLite otherwise
 * drops for subqueries. The plus prevents one full-text query per number in the set.
 */
const rankedRows = byKind((kind) => {
  const table = textTable(kind);
  const items = sql.identifier(ITEM_TABLES[kind]);
  return rowQuery<[number: number, score: number], RankedShape>(
    ({ isAmong, isTimed, condition }) => {
      const within = isAmong ? sql` and +rowid in (${numbersParameter("among")})` : sql``;
      return sql`select ranked.number, ranked.score from (
      select number, score from (
        select rowid as number, -bm25(${table}, 1.0, ${sql.raw(String(CONTEXT_WEIGHT))}) as score
        from ${table} where ${table} match ${sql.placeholder("expression")}${within}${whileWithinTime(table, isTimed)}
        order by rowid desc limit ${limitNamed("rows")}
      ) where score > 0 order by ${ROUNDED_SCORE} desc, number desc limit ${limitNamed("rows")}
    ) ranked cross join ${items} on ${items}.id = ranked.number
    where ${condition} limit ${limitNamed("most")}`;
    },
  );
});
