import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { FactRecord } from "../facts/fact.schema.ts";
import { codePoints } from "../recall/cut-item.ts";
import { fitResult, leftOutOf, SEPARATOR } from "../recall/fit-result.ts";
import { formatWarnings } from "../recall/format-warnings.ts";
import type {
  Explanation,
  LayerWarning,
  RecalledConcept,
  RecalledContradiction,
  RecalledEpisode,
  RecallOutput,
  RecallRequest,
} from "../recall/recall.schema.ts";
import { type Contradiction, overrule } from "./overrule.ts";

/** What one layer answered. */
export interface LayerAnswer {
  /** Name of the database. */
  readonly layer: string;
  readonly found: RecallOutput;
}

export interface AnswersOfLayers {
  /** The nearest first. */
  readonly answers: readonly [LayerAnswer, ...LayerAnswer[]];
  /** Of layers that gave none. */
  readonly warnings: readonly LayerWarning[];
}

type Contribution = Explanation["contributions"][number];

interface Merging extends Pick<ExecuteOptions, "onLeftOut"> {
  readonly isModel: boolean;
  /** Nothing is said of layers: there is one. */
  readonly isAlone: boolean;
}

/**
 * The answers of several layers as one, the nearest first where the rank is the same. The ids of the
 * farther ones begin with their layer: they are no ids of the nearest, and nothing takes them for one.
 * What a nearer layer says in the same words is told once.
 */
export function mergeRecalled(
  { answers: [nearest, ...farther], warnings }: AnswersOfLayers,
  request: RecallRequest,
  { isModel, onLeftOut, isAlone }: Merging,
): RecallOutput {
  const own = isAlone ? nearest.found : withLayer(nearest.found, nearest.layer);
  const { answers: all, contradictions } = overrule([
    own,
    ...farther.map(({ layer, found }) => fromAfar(found, layer, nearest.layer)),
  ]);
  const concepts = best(
    all.flatMap((found) => found.concepts),
    // Clusters of one thing have one title, whatever their facts say of it.
    ({ title, summary, facts = [] }) =>
      JSON.stringify([title, summary, ...facts.map(({ statement }) => statement)]),
  );
  const episodes = best(
    all.flatMap((found) => found.episodes),
    ({ content }) => content,
  );
  const passages = best(
    all.flatMap((found) => found.passages ?? []),
    ({ text }) => text,
  );
  const found = {
    concepts: concepts.slice(0, request.k),
    episodes: episodes.slice(0, request.episode_k),
    ...((request.passage_k ?? 0) > 0 && { passages: passages.slice(0, request.passage_k) }),
    conflicts: all.flatMap(({ open_conflicts: open }) => open),
    complete: true,
  };
  const room = { ...request, max_chars: roomBeside(warnings, request.max_chars) };
  const isNothing = concepts.length + episodes.length + passages.length === 0;
  // What it says of an empty place is right only where nothing is found anywhere.
  const fitted = isNothing ? nearest.found : fitResult(found, room, { isModel });
  onLeftOut?.(leftOutOf(found, fitted));
  return {
    ...fitted,
    ...(contradictions.length > 0 && { contradictions: contradictions.map(shownContradiction) }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    partial: all.some(({ partial }) => partial),
    ...(nearest.found.explain !== undefined && { explain: nearest.found.explain }),
  };
}

function shownContradiction({ nearer, farther }: Contradiction): RecalledContradiction {
  const side = ({ id, layer, text }: Contradiction["nearer"]) => ({ id, layer, text });
  return { nearer: side(nearer), farther: side(farther) };
}

/** What is left to the items: a model is told the warnings below them. */
function roomBeside(
  warnings: readonly LayerWarning[],
  most: number | undefined,
): number | undefined {
  if (most === undefined || warnings.length === 0) return most;
  const taken = codePoints(formatWarnings(warnings)) + codePoints(SEPARATOR);
  return taken < most ? most - taken : most;
}

/** Highest score first; of the same score, and of the same words, the nearest. */
function best<Item extends { readonly score: number }>(
  items: readonly Item[],
  wordsOf: (item: Item) => string,
): Item[] {
  const told = new Set<string>();
  return items
    .filter((item) => {
      const words = wordsOf(item);
      const isNew = !told.has(words);
      told.add(words);
      return isNew;
    })
    .sort((a, b) => b.score - a.score);
}

function withLayer(found: RecallOutput, layer: string): RecallOutput {
  return {
    ...found,
    concepts: found.concepts.map((concept) => ({ ...concept, layer })),
    episodes: found.episodes.map((episode) => ({ ...episode, layer })),
    ...(found.passages !== undefined && {
      passages: found.passages.map((passage) => ({ ...passage, layer })),
    }),
    open_conflicts: found.open_conflicts.map((conflict) => ({ ...conflict, layer })),
  };
}

function fromAfar(found: RecallOutput, layer: string, nearest: string): RecallOutput {
  const of = (id: string) => `${layer}/${id}`;
  const lender = ({ kind, from }: Contribution): string => {
    if (kind === "entity" || from === "query") return from;
    // A session of several layers lends across them, and says of which one.
    if (!from.includes("/")) return of(from);
    return from.startsWith(`${nearest}/`) ? from.slice(nearest.length + 1) : from;
  };
  const explained = ({ explain }: { readonly explain?: Explanation | undefined }) =>
    explain === undefined
      ? {}
      : {
          explain: {
            ...explain,
            contributions: explain.contributions.map((one) => ({ ...one, from: lender(one) })),
          },
        };
  const ofAny = (id: string | null) => (id === null ? null : of(id));
  const fact = (it: FactRecord): FactRecord => ({
    ...it,
    id: of(it.id),
    cluster_id: of(it.cluster_id),
    episode_id: of(it.episode_id),
    superseded_by: ofAny(it.superseded_by),
  });
  const concept = (it: RecalledConcept): RecalledConcept => ({
    ...it,
    id: of(it.id),
    ...(it.via !== undefined && { via: of(it.via) }),
    ...(it.facts !== undefined && { facts: it.facts.map(fact) }),
    ...(it.open_conflicts !== undefined && { open_conflicts: it.open_conflicts.map(of) }),
    ...explained(it),
  });
  const episode = (it: RecalledEpisode): RecalledEpisode => ({
    ...it,
    id: of(it.id),
    fact_id: ofAny(it.fact_id),
    ...explained(it),
  });
  const conflict = (it: ConflictRecord): ConflictRecord => ({
    ...it,
    id: of(it.id),
    fact_a: fact(it.fact_a),
    fact_b: fact(it.fact_b),
  });
  const moved: RecallOutput = {
    ...found,
    concepts: found.concepts.map(concept),
    episodes: found.episodes.map(episode),
    ...(found.passages !== undefined && {
      passages: found.passages.map((it) => ({
        ...it,
        id: of(it.id),
        source_id: of(it.source_id),
        ...(it.replaced_by !== undefined && { replaced_by: of(it.replaced_by) }),
        ...(it.reverts !== undefined && { reverts: of(it.reverts) }),
      })),
    }),
    open_conflicts: found.open_conflicts.map(conflict),
  };
  return withLayer(moved, layer);
}
