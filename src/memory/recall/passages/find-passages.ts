import type { Tx } from "../../../database/index.ts";
import { usingPart } from "../../search/derived-damage.ts";
import { matchTerms, rarestOf, termsOf } from "../../search/match-texts.ts";
import { vectorIndexOf } from "../../search/vector-index.ts";
import { certaintyOf } from "../certainty.ts";
import type { PreparedRecall } from "../prepare-recall.ts";
import { activationBy } from "../rank.ts";
import { searchKind } from "../search-kind.ts";
import { unlessLate } from "../unless-late.ts";
import { loadPassageCandidates } from "./load-passage-candidates.ts";
import type { PassageScope } from "./load-units.ts";
import { rankUnits, type UnitMatch } from "./rank-units.ts";

/** A larger number of candidates does not improve the ranking. */
const TEXT_CANDIDATES = 200;
/** Number of passages contribute to their units; the rest of a ranking is mostly noise. */
const SPEAKING = 20;

export interface PassageSearch {
  readonly prepared: PreparedRecall;
  readonly scope: PassageScope;
  isLate(): boolean;
}

export interface FoundUnit {
  /** What was said in one go, a commit or a section: see `UNIT_OF_PASSAGE`. */
  readonly unit: number;
  /** Sum for the unit's words as a whole and for its best passages, 0..2. */
  readonly activation: number;
  readonly words: UnitMatch | undefined;
  /** The match of each passage of the unit that the query matches, by number. */
  readonly passages: ReadonlyMap<number, number>;
}

export interface FoundPassages {
  /** Highest activation first. */
  readonly units: readonly FoundUnit[];
  /** How certain it is that memory knows the subject of the query, 0..1. */
  readonly certainty: number;
}

export async function findPassages(tx: Tx, search: PassageSearch): Promise<FoundPassages> {
  const { prepared, scope, isLate } = search;
  const query = { kind: "passage", visible: scope, most: TEXT_CANDIDATES } as const;
  const { texts, terms } = await usingPart("text index", async () => {
    const terms = await termsOf(tx, prepared.words, query);
    return { texts: await matchTerms(tx, terms, query), terms: rarestOf(terms, query) };
  });
  const near = await unlessLate(search, () => findNear(tx, search), []);
  const vector = prepared.vector;
  const measures = { vectors: vector !== undefined, tokens: vector?.tokens !== undefined };
  const numbers = [...texts.map(({ number }) => number), ...near];
  const candidates = await loadPassageCandidates(tx, scope, { numbers, measures });
  const best = texts[0]?.score ?? 1;
  const shares = new Map(texts.map(({ number, score }) => [number, score / best]));
  const found = await searchKind(candidates, { prepared, texts: shares, further: [], isLate });
  const matches = await unlessLate(search, () => rankUnits(tx, terms, scope), new Map());
  const activations = Array.from(found.values(), (match) => activationBy(match));
  return {
    units: unitsOf(
      Array.from(found, ([number, { text, vector: likeness, tokens }]) => ({
        number,
        unit: candidates.get(number)?.unit ?? number,
        strength: text + likeness + tokens,
      })),
      matches,
    ),
    certainty: certaintyOf(activations, prepared),
  };
}

async function findNear(tx: Tx, { prepared, scope }: PassageSearch): Promise<readonly number[]> {
  const { vector } = prepared;
  if (vector === undefined) return [];
  const near = await usingPart("vectors", () =>
    vectorIndexOf(tx).nearest(tx, {
      vector: vector.direction,
      ofAPart: scope.isPart,
      isTimed: scope.isTimed,
      kinds: ["passage"],
    }),
  );
  return near.passage;
}

interface StrongPassage {
  readonly number: number;
  readonly unit: number;
  readonly strength: number;
}

/**
 * Activates each unit by the squared strengths of its best passages and by its words as a whole,
 * each as a share of the best.
 */
function unitsOf(
  passages: readonly StrongPassage[],
  matches: ReadonlyMap<number, UnitMatch>,
): readonly FoundUnit[] {
  const strongest = [...passages].sort((a, b) => b.strength - a.strength || b.number - a.number);
  const ofUnits = new Map<number, Map<number, number>>();
  const sums = new Map<number, number>();
  for (const [place, { number, unit, strength }] of strongest.entries()) {
    ofUnits.set(unit, (ofUnits.get(unit) ?? new Map()).set(number, strength));
    if (place < SPEAKING) sums.set(unit, (sums.get(unit) ?? 0) + strength ** 2);
  }
  const mostSaid = Math.max(...sums.values(), Number.MIN_VALUE);
  const mostWords = Math.max(
    ...Array.from(matches.values(), ({ score }) => score),
    Number.MIN_VALUE,
  );
  return [...new Set([...sums.keys(), ...matches.keys()])]
    .map((unit) => ({
      unit,
      words: matches.get(unit),
      passages: ofUnits.get(unit) ?? new Map<number, number>(),
      activation: (sums.get(unit) ?? 0) / mostSaid + (matches.get(unit)?.score ?? 0) / mostWords,
    }))
    .sort((a, b) => b.activation - a.activation || b.unit - a.unit);
}
