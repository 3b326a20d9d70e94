import type { ToldTime } from "./dates/told-time.ts";

/** An item that the query itself matches. */
export interface Seed {
  readonly number: number;
  /** Share of the best text match, and up to half of it for words of the context. All: `measureShares`. */
  readonly text: number;
  /** Similarity above the background of the embedder. */
  readonly vector: number;
  /** Similarity of the best tokens above their background. */
  readonly tokens: number;
  /** Cosine similarity to the query; undefined where there is no vector. */
  readonly cosine: number | undefined;
  /** 1 when it is about an entity that is asked for, 0.5 of one that is named aside. */
  readonly entity: number;
  /** The session of an episode. */
  readonly session: string | null;
  /** Whether an episode ends in a question mark. */
  readonly asks: boolean;
  /** Whether an episode says how things are to be done from then on. */
  readonly isStanding: boolean;
}

/** A fact that holds, whose episode is a seed. */
export interface SeedFact {
  readonly id: number;
  readonly episode: number;
  readonly concept: number;
}

export interface Seeds {
  readonly episodes: ReadonlyMap<number, Seed>;
  readonly concepts: ReadonlyMap<number, Seed>;
  /** What facts lend to their clusters: a cluster says what its facts say. */
  readonly clusters: ReadonlyMap<number, Seed>;
  readonly facts: readonly SeedFact[];
  /** When episodes were told and what they say, where a time is asked for. */
  readonly told: ReadonlyMap<number, ToldTime>;
  /** Numbers of those that an assistant said, where a query is about the one who asks. */
  readonly answers: ReadonlySet<number>;
  /** Stored vectors of episodes, where they have one. */
  readonly vectors: ReadonlyMap<number, Int8Array>;
}

/** What spreads from a seed. An entity match does not: it fans out over all that is about it. */
export function strengthOf(seed: Pick<Seed, "text" | "vector" | "tokens">): number {
  return seed.text + seed.vector + seed.tokens;
}
