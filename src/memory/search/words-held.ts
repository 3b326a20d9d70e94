import { sql } from "drizzle-orm";
import { rowsOf, type Tx, valueSet } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { textTable } from "./text-index.ts";

/** Which of the words, as `queryWords` gives them, an item holds. SQLite only. */
export async function wordsHeld(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
  words: readonly string[],
): Promise<string[]> {
  const table = textTable(item.kind);
  const held: string[] = [];
  // A parameter is bound as a real number, by which the full-text index does not seek.
  for (const word of words) {
    const rows = await rowsOf<[number]>(
      tx,
      sql`select rowid from ${table} where ${table} match ${`"${word}"`} and rowid in (${valueSet([item.number])})`,
    );
    if (rows.length > 0) held.push(word);
  }
  return held;
}
