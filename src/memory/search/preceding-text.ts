import { sql } from "drizzle-orm";
import {
  listOfValues,
  numbersNamed,
  rowQuery,
  type Tx,
  thenJoinEach,
} from "../../database/index.ts";

/**
 * Turns before an episode that an embedder is given to read with it, and characters of the last of
 * them: more than the 64 tokens that are read. Later turns would be as good, but they are not there
 * yet when an episode is remembered.
 */
export const TURNS_BEFORE = 6;
const MOST_CHARACTERS = 600;

/** What was said in the session before each of these episodes; nothing for the first of one. */
export async function loadPrecedingTexts(
  tx: Tx,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await precedingTurns(tx, { numbers: listOfValues(numbers) });
  const texts = new Map<number, string>();
  for (const [number, content] of rows) {
    texts.set(number, `${texts.get(number) ?? ""}${content}\n`.slice(-MOST_CHARACTERS));
  }
  return texts;
}

const TURNS_BEFORE_IT = sql`select near.id from episodes near
  where near.session = episode.session and near.id < episode.id and near.deleted_at is null
  order by near.id desc limit ${sql.raw(String(TURNS_BEFORE))}`;

const precedingTurns = rowQuery<[number: number, content: string]>(
  () => sql`select episode.id, earlier.content from episodes episode
    ${thenJoinEach({ table: "episodes", alias: "earlier" }, TURNS_BEFORE_IT)}
    where episode.id in (${numbersNamed("numbers")}) order by episode.id, earlier.id`,
);
