import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "./search.table.ts";
import type { SearchableText } from "./searchable-text.ts";

/** Name of the full-text table of a kind. SQLite only, as everything in this file. */
export const textTable = (kind: IndexedKind) => sql.identifier(`${kind}_text`);

export async function putText(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
  text: SearchableText,
): Promise<void> {
  await tx.run(
    sql`insert or replace into ${textTable(item.kind)}(rowid, content, context) values (${item.number}, ${text.content}, ${text.context})`,
  );
}

export async function removeText(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
): Promise<void> {
  await tx.run(sql`delete from ${textTable(item.kind)} where rowid = ${item.number}`);
}

/**
 * Ranking a row costs 2 to 5 µs, so a word in a third of a million rows would cost half a second
 * and say nothing: the rarest words are taken while their rows together stay within this.
 */
const MAX_ROWS = 4000;
/** Names and dates are worth more than words of the content. */
const CONTEXT_WEIGHT = 2;

export interface TextQuery {
  readonly kind: IndexedKind;
  /** As `queryWords` gives them. */
  readonly words: readonly string[];
  readonly among?: CandidateSet | undefined;
}

/** The only items that may be found. */
export interface CandidateSet {
  /** A subquery of their numbers. */
  readonly numbers: SQL;
  /** How many there are, where that was counted; undefined: many. */
  readonly size?: number | undefined;
}

export interface TextMatch {
  readonly number: number;
  /** BM25; higher is better, above 0. */
  readonly score: number;
}

/** Items that hold any of the rarest words, best first. */
export async function matchText(tx: Tx, query: TextQuery): Promise<TextMatch[]> {
  const fits = (query.among?.size ?? Number.POSITIVE_INFINITY) <= MAX_ROWS;
  const words = fits ? query.words : await rarestWords(tx, query);
  if (words.length === 0) return [];
  const table = textTable(query.kind);
  const expression = words.map(quote).join(" OR ");
  const rows = await tx.all<TextMatch>(
    sql`select rowid as number, -bm25(${table}, 1.0, ${CONTEXT_WEIGHT}) as score from ${table} where ${table} match ${expression}${within(query)} order by rowid desc limit ${MAX_ROWS}`,
  );
  return rows.filter((row) => row.score > 0).sort((a, b) => b.score - a.score);
}

/** Words that occur, rarest first, while their rows fit the budget; the rarest always does. */
async function rarestWords(tx: Tx, query: TextQuery): Promise<string[]> {
  const counted: { word: string; rows: number }[] = [];
  for (const word of query.words) {
    const rows = await countRows(tx, query, word);
    if (rows > 0) counted.push({ word, rows });
  }
  counted.sort((a, b) => a.rows - b.rows);
  let total = 0;
  const affordable = counted.findIndex(({ rows }, index) => {
    total += rows;
    return index > 0 && total > MAX_ROWS;
  });
  const kept = affordable < 0 ? counted : counted.slice(0, affordable);
  return kept.map(({ word }) => word);
}

async function countRows(tx: Tx, query: TextQuery, word: string): Promise<number> {
  const table = textTable(query.kind);
  const [row] = await tx.all<{ total: number }>(
    sql`select count(*) as total from (select 1 from ${table} where ${table} match ${quote(word)} limit ${MAX_ROWS + 1})`,
  );
  return row?.total ?? 0;
}

function within({ among }: TextQuery): SQL {
  return among === undefined ? sql`` : sql` and rowid in (${among.numbers})`;
}

function quote(word: string): string {
  return `"${word}"`;
}
