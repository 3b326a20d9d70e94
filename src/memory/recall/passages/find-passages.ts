import type { Tx } from "../../../database/index.ts";
import { groupBy } from "../../../shared/collections.ts";
import { convertDamage } from "../../search/derived-damage.ts";
import { loadTerms, matchTerms, selectRarest } from "../../search/match-texts.ts";
import { getVectorIndex } from "../../search/vector-index.ts";
import { withinDeadline } from "../limit-to-deadline.ts";
import type { PreparedRecall } from "../prepare-recall.ts";
import { findRelevanceThreshold, scoreUnmeasured } from "../rank.ts";
import {
  classifyItem,
  computeQueryMeasures,
  computeRelevance,
  type ItemMeasures,
  type QueryMeasures,
} from "../relevance.ts";
import { type SearchMatch, searchKind } from "../search-kind.ts";
import { loadPassageCandidates } from "./load-passage-candidates.ts";
import type { PassageScope } from "./load-units.ts";
import { rankUnits, type UnitMatch } from "./rank-units.ts";

const TEXT_CANDIDATES = 200;
/** Best passages that contribute to their units; the others are mostly noise. */
const MAX_CONTRIBUTING = 20;

export interface PassageSearch {
  readonly prepared: PreparedRecall;
  readonly scope: PassageScope;
  isLate(): boolean;
}

export interface FoundUnit {
  /** A turn, commit or section: see `UNIT_OF_PASSAGE`. */
  readonly unit: number;
  /** Probability of relevance, 0..1, in descending order of rank. */
  readonly score: number;
}

export interface FoundUnits {
  readonly units: readonly FoundUnit[];
  /** Relevance threshold. */
  readonly minScore: number;
  readonly complete: boolean;
}

export async function findPassages(tx: Tx, search: PassageSearch): Promise<FoundUnits> {
  const { prepared, scope, isLate } = search;
  const query = { kind: "passage", visible: scope, limit: TEXT_CANDIDATES } as const;
  const { texts, terms, missing } = await convertDamage("text index", async () => {
    const terms = await loadTerms(tx, prepared.words, query);
    return {
      texts: await matchTerms(tx, terms, query),
      terms: selectRarest(terms, query),
      missing: Math.max(0, prepared.words.length - terms.length),
    };
  });
  const nearby = await withinDeadline(search, () => findNear(tx, search), []);
  const vector = prepared.vector;
  const measures = { vectors: vector !== undefined, tokens: vector?.tokens !== undefined };
  const numbers = [...texts.map(({ number }) => number), ...nearby];
  const candidates = await loadPassageCandidates(tx, scope, { numbers, measures });
  const best = texts[0]?.score ?? 1;
  const shares = new Map(texts.map(({ number, score }) => [number, score / best]));
  const found = await searchKind(candidates, { prepared, texts: shares, further: [], isLate });
  const matches = await withinDeadline(
    search,
    () => rankUnits(tx, { terms, missing }, scope),
    undefined,
  );
  const units = activateUnits(
    Array.from(found, ([number, match]) => ({
      ...match,
      number,
      unit: candidates.get(number)?.unit ?? number,
      strength: match.text + match.vector + match.tokens,
    })),
    matches ?? new Map(),
  );
  const scores =
    matches === undefined
      ? units.map(({ activation }) => scoreUnmeasured(activation))
      : rankRelevances(units, prepared);
  return { ...sortByScore(units, scores), complete: matches !== undefined };
}

async function findNear(tx: Tx, { prepared, scope }: PassageSearch): Promise<readonly number[]> {
  const { vector } = prepared;
  if (vector === undefined) return [];
  const nearby = await convertDamage("vectors", () =>
    getVectorIndex(tx).nearest(tx, {
      vector: vector.direction,
      ofAPart: scope.isPart,
      isTimed: scope.isTimed,
      kinds: ["passage"],
    }),
  );
  return nearby.passage;
}

interface StrongPassage extends SearchMatch {
  readonly number: number;
  readonly unit: number;
  readonly strength: number;
}

interface ActivatedUnit {
  readonly unit: number;
  readonly activation: number;
  readonly measures: ItemMeasures;
}

/**
 * Activates each unit by the squared strengths of its best passages and by its words, each relative
 * to the maximum. Returns the units by activation.
 */
function activateUnits(
  passages: readonly StrongPassage[],
  matches: ReadonlyMap<number, UnitMatch>,
): ActivatedUnit[] {
  const strongest = [...passages].sort((a, b) => b.strength - a.strength || b.number - a.number);
  const ofUnits = groupBy(strongest, ({ unit }) => unit);
  const sums = new Map<number, number>();
  for (const { unit, strength } of strongest.slice(0, MAX_CONTRIBUTING)) {
    sums.set(unit, (sums.get(unit) ?? 0) + strength ** 2);
  }
  const maxSum = Math.max(...sums.values(), Number.MIN_VALUE);
  const maxWords = Math.max(
    ...Array.from(matches.values(), ({ score }) => score),
    Number.MIN_VALUE,
  );
  return [...new Set([...sums.keys(), ...matches.keys()])]
    .map((unit) => {
      const words = matches.get(unit);
      const activation = (sums.get(unit) ?? 0) / maxSum + (words?.score ?? 0) / maxWords;
      return {
        unit,
        activation,
        measures: createMeasures(ofUnits.get(unit) ?? [], words, activation),
      };
    })
    .sort((a, b) => b.activation - a.activation || b.unit - a.unit);
}

/** Combines the words of all passages and the similarity of the closest one. */
function createMeasures(
  passages: readonly StrongPassage[],
  words: UnitMatch | undefined,
  activation: number,
): ItemMeasures {
  const maxKnown = (values: readonly (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  return {
    cosine: maxKnown(passages.map(({ cosine }) => cosine)),
    similarity: maxKnown(passages.map(({ similarity }) => similarity)),
    coverage: words?.coverage ?? 0,
    rarity: words?.rarity ?? 0,
    containedWords: words?.matchedWeight ?? 0,
    activation,
    ...{ entity: 0, question: 0, date: 0, voice: 0, steps: 0, standing: 0, isTurn: false },
  };
}

/** Limits each unit's score to that of the unit ranked before it. */
function sortByScore(
  units: readonly ActivatedUnit[],
  scores: readonly number[],
): Pick<FoundUnits, "units" | "minScore"> {
  let score = 1;
  const scored = units.map(({ unit }, index) => {
    score = Math.min(score, scores[index] ?? 0);
    return { unit, score };
  });
  const [first] = units;
  const least =
    first && findRelevanceThreshold(classifyItem(first.measures), scored[0]?.score ?? 0);
  return { units: scored, minScore: least ?? 0 };
}

/**
 * Averages two probabilities per unit: by all measures and by words alone. Units are long, so one
 * passage's vector or the words alone are weak evidence, but either must suffice.
 */
function rankRelevances(
  units: readonly ActivatedUnit[],
  { words, vector }: Pick<PreparedRecall, "words" | "vector">,
): readonly number[] {
  const measured = units.map(({ measures }) => measures);
  const byWords = computeRelevances(
    measured.map((item) => ({ ...item, cosine: undefined, similarity: undefined })),
    { words: words.length, vectors: undefined },
  );
  if (vector === undefined) return byWords;
  const vectors = { vector: vector.background, tokens: vector.tokens?.background };
  const byAll = computeRelevances(measured, { words: words.length, vectors });
  return byAll.map((score, index) => (score + (byWords[index] ?? 0)) / 2);
}

function computeRelevances(
  items: readonly ItemMeasures[],
  input: Pick<QueryMeasures, "words" | "vectors">,
): number[] {
  const query = computeQueryMeasures(items, input);
  return items.map((item) => computeRelevance(item, query));
}
