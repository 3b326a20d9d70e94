import { sql } from "drizzle-orm";
import { rowQuery, type Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";

/** A shorter beginning is shared by words that have nothing else in common. */
const LEAST_LETTERS = 5;
/** So much of the word must be left: `Datenbank` of `Datenbankverbindung` is nine of nineteen. */
const LEAST_SHARE = 0.45;
const LETTERS = /^\p{L}+$/u;

/** The longest beginning of a word with which words in the index begin, and in how many rows. */
export interface Beginning {
  readonly kind: IndexedKind;
  readonly word: string;
  readonly beginning: string;
  readonly rows: number;
}

/**
 * For words that no item of a kind holds, what stands in for them: languages build words by
 * inflection and by composition, and only English is stemmed. At most `most` rows are counted.
 */
export async function findBeginnings(
  tx: Tx,
  words: Readonly<Record<IndexedKind, readonly string[]>>,
  most: Readonly<Record<IndexedKind, number>>,
): Promise<Beginning[]> {
  const asked = {
    episode: words.episode.flatMap(shortenings),
    concept: words.concept.flatMap(shortenings),
  };
  if (asked.episode.length + asked.concept.length === 0) return [];
  const rows = await rowsOfBeginnings(tx, {
    episodeWords: JSON.stringify(asked.episode),
    conceptWords: JSON.stringify(asked.concept),
    ...most,
  });
  const longest = new Map<string, Beginning>();
  for (const [kind, word, beginning, count] of rows) {
    const known = longest.get(`${kind} ${word}`);
    if (count === 0 || (known?.beginning.length ?? 0) >= beginning.length) continue;
    longest.set(`${kind} ${word}`, { kind, word, beginning, rows: count });
  }
  return [...longest.values()];
}

/** The word, its shortest beginning, and all of them. */
function shortenings(word: string): [word: string, shortest: string, beginnings: string[]][] {
  if (!LETTERS.test(word)) return [];
  const least = Math.max(LEAST_LETTERS, Math.ceil(word.length * LEAST_SHARE));
  const beginnings = Array.from({ length: Math.max(0, word.length - least + 1) }, (_, less) =>
    word.slice(0, word.length - less),
  );
  const shortest = beginnings.at(-1);
  return shortest === undefined ? [] : [[word, shortest, beginnings]];
}

/** Where nothing begins with the shortest, the longer ones are not looked for. */
const rowsOfBeginnings = rowQuery<
  [kind: IndexedKind, word: string, beginning: string, rows: number]
>(() => {
  const ofKind = (kind: IndexedKind) => {
    const table = sql.identifier(`${kind}_text`);
    return sql`select ${sql.raw(`'${kind}'`)} as kind, json_extract(asked.value, '$[0]') as word, begun.value, (
        select count(*) from (
          select 1 from ${table} where ${table} match '"' || begun.value || '"*'
          limit ${sql.placeholder(kind)})) as rows
      from json_each(${sql.placeholder(`${kind}Words`)}) asked
      cross join json_each(asked.value, '$[2]') begun
      where exists (select 1 from ${table}
        where ${table} match '"' || json_extract(asked.value, '$[1]') || '"*')`;
  };
  return sql`${ofKind("episode")} union all ${ofKind("concept")}`;
});
