import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { tokenSignsOf } from "../search/vector-index.ts";
import type { QueryTokens } from "../search/vector-service.ts";
import { scoreSimilarity } from "./score-similarity.ts";

/**
 * Stored tokens that are compared with the query, those of the best candidates first: 10 000 are
 * 300 turns of a conversation, and 6 ms.
 */
const MOST_TOKENS = 10_000;
/** What the words one by one count beside text and the vector of the whole (docs/decisions/0023). */
const TOKENS_SHARE = 1.5;

export interface TokenCandidate {
  readonly number: number;
  readonly text: number;
  readonly vector: number;
  readonly cosine: number | undefined;
}

/**
 * What late interaction says of the candidates, 0..1.5 by number. One whose tokens are not stored
 * yet is taken to match by its words as well as by its vector, so that it is not passed over.
 */
export async function matchTokens(
  tx: Tx,
  kind: IndexedKind,
  match: { tokens: QueryTokens; candidates: readonly TokenCandidate[]; bytes: number },
): Promise<Map<number, number>> {
  const { tokens, candidates, bytes } = match;
  const { query, background } = tokens;
  const bestFirst = candidates
    .filter(({ cosine }) => cosine !== undefined)
    .sort((a, b) => b.text + b.vector - (a.text + a.vector) || b.number - a.number);
  const signs = await tokenSignsOf(
    tx,
    kind,
    bestFirst.map(({ number }) => number),
  );
  const similarities = new Map<number, number>();
  let left = MOST_TOKENS;
  for (const { number } of bestFirst) {
    const own = signs.get(number);
    if (own === undefined) continue;
    left -= own.length / bytes;
    if (left < 0) break;
    const similarity = query.similarity(own);
    if (similarity !== undefined) similarities.set(number, similarity);
  }
  const best = Math.max(0, ...similarities.values());
  return new Map(
    candidates.map(({ number, text, vector }) => {
      if (!signs.has(number)) return [number, TOKENS_SHARE * vector];
      const similarity = similarities.get(number);
      // Similarity within the noise finds nothing by itself, as with vectors.
      const isNoise = text === 0 && (similarity ?? 0) <= background.noise;
      if (similarity === undefined || isNoise) return [number, 0];
      return [number, TOKENS_SHARE * scoreSimilarity(similarity, best, background)];
    }),
  );
}
