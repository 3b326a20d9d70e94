import { isPlainObject } from "../../kernel/json.ts";
import type { MemoryEngine } from "../../memory/index.ts";
import { loadShown } from "../show/load-shown.ts";

/** Fields in which the words of an item stand. */
const WORDS = ["content", "statement", "title", "summary", "text"];
/** Shorter words occur in too many texts. */
const SHORTEST = 4;
/** A longer piece may span two pages of a file, where no search finds it. */
const LONGEST = 80;
const MOST = 20;

/**
 * The beginnings of the lines that the items hold, by which their copies are found: of `most` at the
 * most. Throws not_found.
 */
export async function ownWords(
  memory: MemoryEngine,
  ids: readonly string[],
  most = MOST,
): Promise<string[]> {
  const words = new Set<string>();
  for (const id of ids) {
    if (words.size >= most) break;
    const { item } = await loadShown(memory, id);
    for (const record of Object.values(item)) {
      if (!isPlainObject(record)) continue;
      for (const field of WORDS) collect(record[field], words);
    }
  }
  return [...words].slice(0, most);
}

function collect(value: unknown, words: Set<string>): void {
  if (typeof value !== "string") return;
  for (const line of value.split("\n")) {
    const piece = [...line.trim()].slice(0, LONGEST).join("");
    if (piece.length >= SHORTEST) words.add(piece);
  }
}
