import type { StatedTime } from "./dates/told-time.ts";

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
