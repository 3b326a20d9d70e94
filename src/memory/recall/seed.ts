import type { StatedTime } from "./dates/queried-time.ts";

export interface Seed {
  readonly number: number;
  /** Text score relative to the best, plus up to half for context words. */
  readonly text: number;
  readonly vector: number;
  readonly tokens: number;
  readonly cosine: number | undefined;
  readonly similarity: number | undefined;
  readonly entity: number;
  readonly session: string | null;
  readonly isQuestion: boolean;
  readonly isTurn: boolean;
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
  readonly statedTimes: ReadonlyMap<number, StatedTime>;
  readonly answers: ReadonlySet<number>;
  readonly vectors: ReadonlyMap<number, Int8Array>;
}

/** Excludes entity matches, which would spread to everything about the entity. */
export function seedStrength(seed: Pick<Seed, "text" | "vector" | "tokens">): number {
  return seed.text + seed.vector + seed.tokens;
}

const TEXT_WEIGHT = 0.5;
const NEIGHBOUR_WEIGHT = 0.25;

/** A question and its answer are separate turns, so a match of one supports the other. */
export function propagateToNeighbour(
  seed: Pick<Seed, "text" | "vector" | "tokens">,
  distance: number,
  contextual: boolean,
): number {
  return (contextual ? TEXT_WEIGHT * seed.text : NEIGHBOUR_WEIGHT * seedStrength(seed)) / distance;
}

/** Weight with which a session propagates its best match to each member. */
const SESSION_WEIGHT = 0.5;

interface Propagation {
  readonly from: number;
  readonly amount: number;
}

interface Hub {
  readonly text: Propagation;
  readonly vector: Propagation;
}

/**
 * Returns half of each session's best text match and best vector match, possibly of different
 * turns.
 */
export function findSessionHubs(seeds: Iterable<Seed>): Map<string, Hub> {
  const hubs = new Map<string, Hub>();
  for (const { number, session, text, vector, tokens } of seeds) {
    if (session === null) continue;
    const own = {
      text: { from: number, amount: SESSION_WEIGHT * text },
      vector: { from: number, amount: SESSION_WEIGHT * (vector + tokens) },
    };
    const known = hubs.get(session) ?? own;
    hubs.set(session, {
      text: selectStronger(known.text, own.text),
      vector: selectStronger(known.vector, own.vector),
    });
  }
  return hubs;
}

export function listPropagations(hub: Hub | undefined): Propagation[] {
  return hub === undefined ? [] : [hub.text, hub.vector].filter(({ amount }) => amount > 0);
}

function selectStronger(known: Propagation, other: Propagation): Propagation {
  return other.amount > known.amount ? other : known;
}
