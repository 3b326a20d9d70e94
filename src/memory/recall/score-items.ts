import { type Activation, activationOf } from "./activation.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { measuresOfQuery, relevanceOf } from "./relevance.ts";
import type { Seeds } from "./seed.ts";
import type { Activated } from "./spread-activation.ts";

/** The score of an item about the time that is all the query names. */
const SCORE_OF_DATE = 0.7;
const SCORE_OF_DATE_AND_WORDS = 0.35;
/** Part of a score that remains where time ran out before the match itself was measured. */
const UNMEASURED_WEIGHT = 0.5;
/** Explicit edges are followed over so many steps. */
const MAX_HOPS = 2;

/**
 * Computes the score of every activated item: its own relevance, or that of the item which an explicit edge led from, less what the
 * edge takes. A cluster has the score of its best fact.
 */
export function scoreItems(
  { episodes, concepts }: Pick<Activated, "episodes" | "concepts">,
  { prepared, seeds, isMeasured }: ScoredSearch,
): void {
  const { vector, words, time } = prepared;
  const all = [...episodes.values(), ...Array.from(concepts.values(), ({ parts }) => parts)];
  if ((words.length === 0 && vector === undefined) || !isMeasured) {
    const share = isMeasured ? 1 : UNMEASURED_WEIGHT;
    for (const parts of all)
      parts.score = share * (1 - Math.exp(-Math.max(0, activationOf(parts))));
    return;
  }
  const vectors = vector && { vector: vector.background, tokens: vector.tokens?.background };
  const measured = all.map((parts) => ({ ...parts, activation: activationOf(parts) }));
  const query = measuresOfQuery(measured, { words: words.length, vectors });
  for (const [place, item] of measured.entries()) {
    const parts = all[place] as Activation;
    parts.score = relevanceOf(item, query);
    if (time?.isAlone === true) raise(parts, SCORE_OF_DATE * parts.date);
    else if (parts.held > 0) raise(parts, SCORE_OF_DATE_AND_WORDS * parts.date);
  }
  for (const { episode, concept } of seeds.facts)
    raise(concepts.get(concept)?.parts, episodes.get(episode)?.score);
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    for (const parts of all) {
      if (parts.lender === undefined) continue;
      const { kind, number, share } = parts.lender;
      const lender = kind === "episode" ? episodes.get(number) : concepts.get(number)?.parts;
      raise(parts, lender && share * lender.score);
    }
  }
}

interface ScoredSearch {
  readonly prepared: Pick<PreparedRecall, "vector" | "words" | "time">;
  readonly seeds: Pick<Seeds, "facts">;
  /** False when time ran out before the words were measured. */
  readonly isMeasured: boolean;
}

function raise(parts: Activation | undefined, score: number | undefined): void {
  if (parts !== undefined && score !== undefined) parts.score = Math.max(parts.score, score);
}
