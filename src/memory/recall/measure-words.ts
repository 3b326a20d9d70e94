import { sql } from "drizzle-orm";
import { rowQuery, type Tx } from "../../database/index.ts";
import { topK } from "../../shared/collections.ts";
import type { MemoryKind } from "../context/indexed-kind.ts";
import { countTermsOf } from "../search/match-texts.ts";
import { textIndexOf } from "../search/text-index.ts";
import type { Term } from "../search/text-query.ts";
import type { Activation } from "./activation.ts";
import { activationOf } from "./activation.ts";

/** Number of of the most activated items have their words measured. */
const MAX_MEASURED = 120;
/** A memory of a few items tells little of how rare a word is. */
const MIN_ITEMS = 50;
const MAX_ROWS = 1500;

/**
 * Measures for the most activated items how much of the query's words they contain, each word weighed by its rarity
 * (inverse document frequency). Unlike the text score, it does not depend on the best match.
 */
export async function measureWords(
  tx: Tx,
  words: readonly string[],
  items: Readonly<Record<MemoryKind, ReadonlyMap<number, Activation>>>,
): Promise<void> {
  if (words.length === 0) return;
  const counted = await countTermsOf(tx, words, ["episode", "concept"]);
  const [[largest = 0] = []] = await largestNumber(tx, {});
  const weightOf = (rows: number) =>
    Math.log(1 + (Math.max(largest, MIN_ITEMS, rows) - rows + 0.5) / (rows + 0.5));
  const most = weightOf(0);
  for (const kind of ["episode", "concept"] as const) {
    const terms = counted[kind];
    const weights = terms.map(({ rows }) => weightOf(rows));
    const missing = Math.max(0, words.length - terms.length) * most;
    const all = weights.reduce((sum, weight) => sum + weight, missing);
    const measured = topK(
      [...items[kind]],
      MAX_MEASURED,
      ([a, ofA], [b, ofB]) => activationOf(ofB) - activationOf(ofA) || b - a,
    );
    const byNumber = new Map(measured);
    const searched = terms.filter(({ rows }) => rows > 0 && rows <= MAX_ROWS);
    if (searched.length === 0 || byNumber.size === 0) continue;
    const held = await textIndexOf(tx).termsHeld(tx, kind, {
      terms: searched,
      numbers: [...byNumber.keys()],
    });
    for (const { term, number } of held) {
      const parts = byNumber.get(number);
      const weight = weightOf((searched[term] as Term).rows);
      if (parts === undefined) continue;
      parts.coverage += weight / all;
      parts.held += weight;
      parts.rarity = Math.max(parts.rarity, weight / most);
    }
  }
}

const largestNumber = rowQuery<[number]>(() => sql`select coalesce(max(id), 0) from episodes`);
