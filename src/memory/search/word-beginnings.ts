import { sql } from "drizzle-orm";
import { listOfValues, rowQuery, type Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { byKind } from "./by-kind.ts";

/** A shorter beginning is shared by words that have nothing else in common. */
const LEAST_LETTERS = 5;
/** So much of the word must be left: `Datenbank` of `Datenbankverbindung` is nine of nineteen. */
const LEAST_SHARE = 0.45;
const LETTERS = /^\p{L}+$/u;

/** The longest beginning of a word with which words in the index begin, and in how many rows. */
export interface Beginning {
  readonly beginning: string;
  readonly rows: number;
}

/**
 * For a word that no item holds, what stands in for it: languages build words by inflection and by
 * composition, and only English is stemmed. At most `most` rows are counted.
 */
export async function findBeginning(
  tx: Tx,
  kind: IndexedKind,
  { word, most }: { word: string; most: number },
): Promise<Beginning | undefined> {
  if (!LETTERS.test(word)) return undefined;
  const least = Math.max(LEAST_LETTERS, Math.ceil(word.length * LEAST_SHARE));
  const beginnings = Array.from({ length: Math.max(0, word.length - least + 1) }, (_, less) =>
    word.slice(0, word.length - less),
  );
  const [found] = await longestBeginning[kind](tx, { words: listOfValues(beginnings), most });
  return found && { beginning: found[0], rows: found[1] };
}

const longestBeginning = byKind((kind) => {
  const table = sql.identifier(`${kind}_text`);
  return rowQuery<[beginning: string, rows: number]>(
    () => sql`select value, rows from (
      select value, key, (select count(*) from (
        select 1 from ${table} where ${table} match '"' || value || '"*'
        limit ${sql.placeholder("most")})) as rows
      from json_each(${sql.placeholder("words")})) where rows > 0 order by key limit 1`,
  );
});
