import type { Tx } from "../../database/index.ts";
import type { SimilarityBackground } from "../../embedding/index.ts";
import { settleAll } from "../../shared/async.ts";
import { topK } from "../../shared/collections.ts";
import { cosineOfStored } from "../search/stored-vector.ts";
import type { StatedTime } from "./dates/queried-time.ts";
import { loadEpisodeCandidates, type Measures } from "./load-candidates.ts";
import {
  type EvidenceEdge,
  type GraphNeighbours,
  loadGraphNeighbours,
  loadRelations,
  type RelationEdge,
} from "./load-graph.ts";
import type { Arrivals } from "./rank.ts";
import { type Activation, createActivation } from "./rank.ts";
import type { RecallScope } from "./recall-scope.ts";
import {
  findSessionHubs,
  listPropagations,
  propagateToNeighbour,
  type Seed,
  type Seeds,
  seedStrength,
} from "./seed.ts";

/** Number of strongest items that spread; the others are mostly noise. */
const MAX_SPREADING = 20;
/** Penalty of an episode that ends with a question mark. */
const QUESTION_PENALTY = 0.3;
/**
 * Maximum gain of a standing instruction. It shares few words with the requests to which it
 * applies, so the gain grows with vector similarity, and is zero for unrelated instructions.
 */
const MAX_STANDING = 1;
/** Weight propagated over an edge of strength 1. */
const EDGE_WEIGHT = 0.5;

export interface Path {
  readonly hops: number;
  readonly from: { readonly kind: "episode" | "concept"; readonly number: number };
}

export interface ActivatedConcept {
  readonly parts: Activation;
  readonly path: Path | undefined;
}

export interface Activated {
  readonly episodes: ReadonlyMap<number, Activation>;
  readonly concepts: ReadonlyMap<number, ActivatedConcept>;
  readonly vectors: ReadonlyMap<number, Int8Array>;
  readonly statedTimes: ReadonlyMap<number, StatedTime>;
  readonly answers: ReadonlySet<number>;
  readonly sessions: ReadonlyMap<number, string>;
}

export function collectActivations({
  episodes,
  concepts,
}: Pick<Activated, "episodes" | "concepts">): Activation[] {
  return [...episodes.values(), ...Array.from(concepts.values(), ({ parts }) => parts)];
}

interface SpreadSources {
  readonly seeds: Seeds;
  readonly measures: Measures;
  readonly isDated: boolean;
  readonly isAboutOneself: boolean;
  /** True if the query asks for an order of events; disables propagation within sessions. */
  readonly isOrdered: boolean;
  readonly contextual: boolean;
  readonly background: SimilarityBackground | undefined;
  readonly arrivals: Arrivals | undefined;
}

/**
 * Spreads activation from the strongest seeds: one step over sessions, neighbors, sources, evidence
 * and facts, and two steps over relations. Among edges of one kind only the strongest counts.
 */
export async function spreadActivation(
  tx: Tx,
  scope: RecallScope,
  from: SpreadSources,
): Promise<Activated> {
  const { seeds, arrivals } = from;
  const strongEpisodes = selectStrongest(seeds.episodes);
  const strongConcepts = selectStrongest(seeds.concepts);
  const around = await loadGraphNeighbours(tx, scope, {
    episodes: strongEpisodes.map(({ number }) => number),
    concepts: strongConcepts.map(({ number }) => number),
  });
  const [episodes, concepts] = await settleAll(
    spreadToEpisodes(tx, scope, { ...from, around }),
    spreadToConcepts(tx, scope, { seeds, upward: around.upward, arrivals }),
  );
  return { ...episodes, concepts };
}

/** Returns the seeds' own activation, if there is no time to spread. */
export function createUnspread(seeds: Seeds, arrivals: Arrivals | undefined): Activated {
  return {
    vectors: seeds.vectors,
    statedTimes: seeds.statedTimes,
    answers: seeds.answers,
    sessions: mapSessions(seeds.episodes.values()),
    episodes: new Map(
      Array.from(seeds.episodes, ([number, seed]) => [number, copyOwnMeasures(seed)]),
    ),
    concepts: new Map(
      Array.from(seeds.concepts, ([number, seed]) => [
        number,
        createConceptNode(seed, seeds, arrivals),
      ]),
    ),
  };
}

function selectStrongest(seeds: ReadonlyMap<number, Seed>): Seed[] {
  return topK(
    [...seeds.values()].filter((seed) => seedStrength(seed) > 0),
    MAX_SPREADING,
    (a, b) => seedStrength(b) - seedStrength(a) || b.number - a.number,
  );
}

async function spreadToEpisodes(
  tx: Tx,
  scope: RecallScope,
  from: SpreadSources & { around: GraphNeighbours },
): Promise<Omit<Activated, "concepts">> {
  const { seeds, measures, contextual, isDated, isAboutOneself, background, arrivals } = from;
  const { neighbours, downward } = from.around;
  const reached = [...neighbours.map(({ to }) => to), ...downward.map(({ episode }) => episode)];
  const numbers = reached.filter((number) => !seeds.episodes.has(number));
  const visible = await loadEpisodeCandidates(
    tx,
    { scope, numbers, measures },
    { entities: [], secondaryEntities: [], isDated, isAboutOneself },
  );
  const parts = new Map<number, Activation>();
  const vectors = new Map(seeds.vectors);
  const reported = new Map(seeds.statedTimes);
  const answers = new Set(seeds.answers);
  const turns = new Set<number>();
  for (const seed of seeds.episodes.values()) {
    parts.set(seed.number, copyOwnMeasures(seed));
    if (seed.isTurn) turns.add(seed.number);
  }
  for (const [
    number,
    { isQuestion, isTurn, session, isAnswer, vector, statedTime: when },
  ] of visible) {
    if (isTurn) turns.add(number);
    if (isAnswer) answers.add(number);
    parts.set(
      number,
      createActivation({
        question: isQuestion ? -QUESTION_PENALTY : 0,
        isTurn: isTurn && session !== null,
      }),
    );
    if (vector !== undefined) vectors.set(number, vector);
    if (when !== undefined) reported.set(number, when);
  }

  for (const { from: origin, to, distance } of neighbours) {
    const target = parts.get(to);
    const seed = seeds.episodes.get(origin);
    if (target === undefined || seed === undefined) continue;
    if (!turns.has(origin) || !turns.has(to)) continue;
    const amount =
      computeCoherence(vectors, [origin, to], background) *
      propagateToNeighbour(seed, distance, contextual);
    if (amount === 0) continue;
    target.neighbours += amount;
    const source = { kind: "episode", number: origin } as const;
    arrivals?.add(target, { kind: "neighbours", from: source, amount });
  }
  for (const { episode, concept, strength } of downward) {
    const target = parts.get(episode);
    const seed = seeds.concepts.get(concept);
    if (target === undefined || seed === undefined) continue;
    const amount = EDGE_WEIGHT * strength * seedStrength(seed);
    if (amount <= target.evidence) continue;
    target.evidence = amount;
    const source = { kind: "concept", number: concept } as const;
    target.strongestSource = { ...source, weight: EDGE_WEIGHT * strength };
    arrivals?.replace(target, { kind: "evidence", from: source, amount });
  }
  const hubs = from.isOrdered
    ? NO_HUBS
    : findSessionHubs([...seeds.episodes.values()].filter(({ isTurn }) => isTurn));
  const sessions = mapSessions([...seeds.episodes.values(), ...visible.values()]);
  for (const [number, target] of parts) {
    const session = sessions.get(number);
    if (!turns.has(number)) continue;
    for (const { from, amount: total } of listPropagations(
      session ? hubs.get(session) : undefined,
    )) {
      const amount = total * computeCoherence(vectors, [from, number], background);
      if (amount === 0) continue;
      target.session += amount;
      const source = { kind: "episode", number: from } as const;
      arrivals?.add(target, { kind: "session", from: source, amount });
    }
  }
  return { episodes: parts, vectors, statedTimes: reported, answers, sessions };
}

/**
 * Returns the similarity of two turns' subjects, 0..1, by vector: a chat mostly has one subject,
 * while notes stored in one session may not. 1 without vectors.
 */
function computeCoherence(
  vectors: ReadonlyMap<number, Int8Array>,
  [a, b]: readonly [number, number],
  background: SimilarityBackground | undefined,
): number {
  if (background === undefined || a === b) return 1;
  const [ofA, ofB] = [vectors.get(a), vectors.get(b)];
  if (ofA === undefined || ofB === undefined) return 0;
  const { mean, noise } = background;
  return Math.min(1, Math.max(0, (cosineOfStored(ofA, ofB) - mean) / Math.max(noise - mean, 1e-6)));
}

const NO_HUBS: ReturnType<typeof findSessionHubs> = new Map();

function mapSessions(items: Iterable<Pick<Seed, "number" | "session">>): Map<number, string> {
  const sessions = new Map<number, string>();
  for (const { number, session } of items) if (session) sessions.set(number, session);
  return sessions;
}

function copyOwnMeasures(seed: Seed): Activation {
  const { text, vector, tokens, cosine, similarity, entity } = seed;
  const question = seed.isQuestion ? -QUESTION_PENALTY : 0;
  const standing = seed.isStanding ? Math.min(MAX_STANDING, seedStrength(seed)) : 0;
  return createActivation({
    ...{ text, vector, tokens, cosine, similarity, entity, question, standing },
    isTurn: seed.isTurn && seed.session !== null,
  });
}

async function spreadToConcepts(
  tx: Tx,
  scope: RecallScope,
  from: Pick<SpreadSources, "seeds" | "arrivals"> & { upward: readonly EvidenceEdge[] },
): Promise<Map<number, ActivatedConcept>> {
  const { seeds, upward, arrivals } = from;
  const nodes = new Map<number, ConceptNode>();
  for (const seed of seeds.concepts.values()) {
    nodes.set(seed.number, createConceptNode(seed, seeds, arrivals));
  }
  for (const { episode, concept, strength } of upward) {
    const origin = seeds.episodes.get(episode);
    if (origin === undefined) continue;
    const arriving = EDGE_WEIGHT * strength * seedStrength(origin);
    const node = nodes.get(concept) ?? createReachedNode();
    nodes.set(concept, node);
    // Matching facts of a cluster already count as its own match.
    if (seeds.clusters.has(concept) || arriving <= node.parts.evidence) continue;
    node.parts.evidence = arriving;
    const source = { kind: "episode", number: episode } as const;
    node.parts.strongestSource = { ...source, weight: EDGE_WEIGHT * strength };
    arrivals?.replace(node.parts, { kind: "evidence", from: source, amount: arriving });
    if (!node.seed) node.path = { hops: 1, from: { kind: "episode", number: episode } };
  }
  await spreadOverRelations(tx, scope, { nodes, arrivals });
  return nodes;
}

interface ConceptNode extends ActivatedConcept {
  readonly parts: Activation;
  readonly seed: boolean;
  path: Path | undefined;
}

function createReachedNode(): ConceptNode {
  return { parts: createActivation({}), seed: false, path: undefined };
}

function createConceptNode(
  seed: Seed,
  { clusters }: Seeds,
  arrivals: Arrivals | undefined,
): ConceptNode {
  const parts = copyOwnMeasures(seed);
  const fact = clusters.get(seed.number);
  if (fact !== undefined) propagateFromAll(parts, fact, arrivals);
  return { parts, seed: true, path: undefined };
}

const DIRECT_MEASURES = ["text", "vector", "tokens"] as const;

/** Propagates a cluster's best fact's matches to it. */
function propagateFromAll(parts: Activation, fact: Seed, arrivals: Arrivals | undefined): void {
  for (const kind of DIRECT_MEASURES) {
    if (fact[kind] <= parts[kind]) continue;
    parts[kind] = fact[kind];
    const source = { kind: "episode", number: fact.number } as const;
    arrivals?.replace(parts, { kind, from: source, amount: fact[kind] });
  }
}

/** Spreads over two hops from the strongest concepts, including to concepts outside the scope. */
async function spreadOverRelations(tx: Tx, scope: RecallScope, graph: ConceptGraph): Promise<void> {
  const fronts = Array.from(graph.nodes, ([number, { parts, path }]) => ({
    number,
    root: number,
    strength: seedStrength(parts) + parts.evidence,
    hops: path?.hops ?? 0,
  })).filter(({ strength }) => strength > 0);
  let wave: SpreadStep[] = topK(
    fronts,
    MAX_SPREADING,
    (a, b) => b.strength - a.strength || b.number - a.number,
  );
  const numbers = wave.map(({ number }) => number);
  for (const edges of await loadRelations(tx, scope, numbers)) {
    wave = followRelations(graph, wave, edges);
  }
}

interface ConceptGraph extends Pick<SpreadSources, "arrivals"> {
  readonly nodes: Map<number, ConceptNode>;
}

interface SpreadStep {
  readonly number: number;
  /** The concept from which the activation started, to which it does not return. */
  readonly root: number;
  readonly strength: number;
  readonly hops: number;
}

function followRelations(
  { nodes, arrivals }: ConceptGraph,
  wave: readonly SpreadStep[],
  edges: readonly RelationEdge[],
): SpreadStep[] {
  const origins = new Map(wave.map((front) => [front.number, front]));
  const next = new Map<number, SpreadStep>();
  for (const { a, b, strength } of edges) {
    const origin = origins.get(a);
    if (origin === undefined || b === origin.root) continue;
    const arriving = EDGE_WEIGHT * strength * origin.strength;
    const node = nodes.get(b) ?? createReachedNode();
    if (arriving <= node.parts.relations) continue;
    nodes.set(b, node);
    node.parts.relations = arriving;
    const source = { kind: "concept", number: a } as const;
    if (arriving > node.parts.evidence)
      node.parts.strongestSource = { ...source, weight: EDGE_WEIGHT * strength };
    arrivals?.replace(node.parts, { kind: "relations", from: source, amount: arriving });
    const hops = origin.hops + 1;
    if (!node.seed && arriving > node.parts.evidence) {
      node.path = { hops, from: { kind: "concept", number: a } };
    }
    next.set(b, { number: b, root: origin.root, strength: arriving, hops });
  }
  return [...next.values()];
}
