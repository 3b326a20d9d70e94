import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
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
const MAX_ROWS = 3000;
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
  const rows = await tx.values<[number: number, score: number]>(
    sql`select rowid, -bm25(${table}, 1.0, ${CONTEXT_WEIGHT}) from ${table} where ${table} match ${expression}${within(query)} order by rowid desc limit ${MAX_ROWS}`,
  );
  return rows
    .map(([number, score]) => ({ number, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

/** Words that occur, rarest first, while their rows fit the budget; the rarest always does. */
async function rarestWords(tx: Tx, query: TextQuery): Promise<string[]> {
  const table = textTable(query.kind);
  const counted = await tx.all<{ word: string; rows: number }>(
    sql`select word.value as word, (select count(*) from (select 1 from ${table} where ${table} match '"' || word.value || '"' limit ${MAX_ROWS + 1})) as rows from json_each(${JSON.stringify(query.words)}) word`,
  );
  const found = counted.filter(({ rows }) => rows > 0).sort((a, b) => a.rows - b.rows);
  let total = 0;
  const tooMany = found.findIndex(({ rows }, index) => {
    total += rows;
    return index > 0 && total > MAX_ROWS;
  });
  const kept = tooMany < 0 ? found : found.slice(0, tooMany);
  return kept.map(({ word }) => word);
}

/**
 * The plus keeps the set out of the full-text index, which would otherwise be asked once for every
 * number of it.
 */
function within({ among }: TextQuery): SQL {
  return among === undefined ? sql`` : sql` and +rowid in (${among.numbers})`;
}

function quote(word: string): string {
  return `"${word}"`;
}
