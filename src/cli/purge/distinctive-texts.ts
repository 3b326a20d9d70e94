import type { MemoryEngine } from "../../memory/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { loadShown } from "../show/load-shown.ts";

const WORDS = ["content", "statement", "title", "summary", "text"];
/** Shorter texts match too often. */
const MIN_LENGTH = 4;
/** Longer texts may span two database pages, where a search would miss them. */
const LONGEST = 80;
const MAX_ITEMS = 20;

/** Returns up to `limit` line beginnings of the items, for finding copies. Throws not_found. */
export async function distinctiveTexts(
  memory: MemoryEngine,
  ids: readonly string[],
  limit = MAX_ITEMS,
): Promise<string[]> {
  const words = new Set<string>();
  for (const id of ids) {
    if (words.size >= limit) break;
    const { item } = await loadShown(memory, id);
    for (const record of Object.values(item)) {
      if (!isPlainObject(record)) continue;
      for (const field of WORDS) collect(record[field], words);
    }
  }
  return [...words].slice(0, limit);
}

function collect(value: unknown, words: Set<string>): void {
  if (typeof value !== "string") return;
  for (const line of value.split("\n")) {
    const piece = [...line.trim()].slice(0, LONGEST).join("");
    if (piece.length >= MIN_LENGTH) words.add(piece);
  }
}
