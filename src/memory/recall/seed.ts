import type { StatedTime } from "./dates/asked-time.ts";

/** An item that the query itself matches. */
export interface Seed {
  readonly number: number;
  /**
   * Text score as a share of the best, and up to half for words of the context. `measureShares`
   * weighs this and the other measures.
   */
  readonly text: number;
  /** Similarity above the background of the embedder. */
  readonly vector: number;
  /** Similarity of the best tokens above their background. */
  readonly tokens: number;
  /** Cosine similarity to the query; undefined where there is no vector. */
  readonly cosine: number | undefined;
  /** Late-interaction similarity of the tokens; undefined where they were not compared. */
  readonly similarity: number | undefined;
  /** 1 if the item is about an entity that is asked for, 0.5 if that entity is named only aside. */
  readonly entity: number;
  /** The session of an episode. */
  readonly session: string | null;
  /** True if an episode ends in a question mark. */
  readonly asks: boolean;
  readonly isTurn: boolean;
  /** True if an episode is a standing instruction. */
  readonly isStanding: boolean;
}

export interface SeedFact {
  readonly id: number;
  readonly episode: number;
  readonly concept: number;
}

export interface Seeds {
  readonly episodes: ReadonlyMap<number, Seed>;
  readonly concepts: ReadonlyMap<number, Seed>;
  readonly clusters: ReadonlyMap<number, Seed>;
  readonly facts: readonly SeedFact[];
  readonly told: ReadonlyMap<number, StatedTime>;
  readonly answers: ReadonlySet<number>;
  /** Stored vectors of the episodes that have one. */
  readonly vectors: ReadonlyMap<number, Int8Array>;
}

/**
 * The strength with which a seed spreads. Entity matches are left out, since they would spread to
 * everything about the entity.
 */
export function strengthOf(seed: Pick<Seed, "text" | "vector" | "tokens">): number {
  return seed.text + seed.vector + seed.tokens;
}

const TEXT_WEIGHT = 0.5;
const WEIGHT = 0.25;

/** A question and its answer are different turns, so a match of one also supports the other. */
export function propagateToNeighbour(
  seed: Pick<Seed, "text" | "vector" | "tokens">,
  distance: number,
  contextual: boolean,
): number {
  return (contextual ? TEXT_WEIGHT * seed.text : WEIGHT * strengthOf(seed)) / distance;
}

/**
 * The share of its best match that a session lends to each member, since all are about the same
 * subject.
 */
const SESSION_WEIGHT = 0.5;

/** The activation that an episode lends to its session. */
interface Lending {
  /** Number of the episode. */
  readonly from: number;
  readonly amount: number;
}

interface Hub {
  readonly text: Lending;
  readonly vector: Lending;
}

/**
 * For each session, half of its best text match and half of its best vector match. They may come
 * from different turns, such as a question and its answer.
 */
export function sessionHubs(seeds: Iterable<Seed>): Map<string, Hub> {
  const hubs = new Map<string, Hub>();
  for (const { number, session, text, vector, tokens } of seeds) {
    if (session === null) continue;
    const own = {
      text: { from: number, amount: SESSION_WEIGHT * text },
      vector: { from: number, amount: SESSION_WEIGHT * (vector + tokens) },
    };
    const known = hubs.get(session) ?? own;
    hubs.set(session, {
      text: larger(known.text, own.text),
      vector: larger(known.vector, own.vector),
    });
  }
  return hubs;
}

export function lendingsOf(hub: Hub | undefined): Lending[] {
  return hub === undefined ? [] : [hub.text, hub.vector].filter(({ amount }) => amount > 0);
}

function larger(known: Lending, other: Lending): Lending {
  return other.amount > known.amount ? other : known;
}
