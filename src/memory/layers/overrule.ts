import { CLAIMING } from "../learned/find-contradicted.ts";
import { type LayerClaim, Overruling } from "../learned/overruling.ts";
import type { RecallOutput } from "../recall/recall.schema.ts";

/** One layer says otherwise than a farther one. */
export interface Contradiction {
  readonly nearer: LayerClaim;
  readonly farther: LayerClaim;
}

/** How far below the nearer one a farther one stands that it overrules. */
const BELOW = 0.999;

/**
 * What a nearer layer says otherwise takes the place of the farther layer's, which follows it and names
 * it. Nothing is changed in any layer. The answers are those of the layers, nearest first.
 */
export function overrule(answers: readonly RecallOutput[]): {
  readonly answers: RecallOutput[];
  readonly contradictions: Contradiction[];
} {
  const contradictions = findContradictions(answers.map(claimsOf));
  const by = new Map(contradictions.map(({ nearer, farther }) => [farther.id, nearer]));
  const scores = new Map(answers.flatMap(claimsOf).map(({ id, score }) => [id, score]));
  const below = (score: number, ids: readonly string[]) => {
    const over = ids.flatMap((id) => by.get(id) ?? []).map(({ id }) => scores.get(id) ?? score);
    return Math.min(score, ...over.map((one) => one * BELOW));
  };
  const flag = (id: string) => {
    const nearer = by.get(id);
    return nearer === undefined ? {} : { overruled_by: nearer.id };
  };
  const marked = answers.map((found) => ({
    ...found,
    episodes: found.episodes.map((it) => ({
      ...it,
      ...flag(it.id),
      score: below(it.score, [it.id]),
    })),
    concepts: found.concepts.map((it) => {
      const { facts } = it;
      if (facts === undefined) return it;
      // A cluster stands where its best fact does.
      const isAll = facts.every(({ episode_id: id }) => by.has(id));
      const ids = isAll ? facts.map(({ episode_id: id }) => id) : [];
      return {
        ...it,
        score: below(it.score, ids),
        facts: facts.map((fact) => ({ ...fact, ...flag(fact.episode_id) })),
      };
    }),
  }));
  return { answers: by.size === 0 ? [...answers] : marked, contradictions };
}

/** Each claim of a farther layer with the nearest that says otherwise. */
function findContradictions(layers: readonly (readonly LayerClaim[])[]): Contradiction[] {
  // Reading the words of all languages is for an answer in which two layers claim something.
  if (layers.filter((claims) => claims.length > 0).length < 2) return [];
  const overruling = new Overruling();
  return layers.flatMap((claims, place) => {
    const nearer = layers.slice(0, place).flat();
    return claims.flatMap((farther) => {
      const found = nearer.find((claim) => overruling.saysOtherwise(claim, farther));
      return found === undefined ? [] : [{ nearer: found, farther }];
    });
  });
}

/** Each by the episode that says it, be it found as one or as the fact of a concept. */
function claimsOf({ episodes, concepts }: RecallOutput): LayerClaim[] {
  const facts = concepts.flatMap(({ facts: held = [], score, layer = "" }) =>
    held
      .filter(({ status }) => status === "active")
      .map(({ episode_id: id, statement: text, entities }) => ({
        ...{ id, layer, text, entities, score },
        type: "fact",
      })),
  );
  const said = episodes.map(
    ({ id, layer = "", content: text, entities, score, episode_type: type }) => ({
      ...{ id, layer, text, entities, score, type },
    }),
  );
  const claims = [...facts, ...said].filter(({ type }) => CLAIMING.includes(type));
  return [...new Map(claims.map((claim) => [claim.id, claim])).values()];
}
