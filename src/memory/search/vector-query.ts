import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import type { Problem } from "../context/problem.ts";

export interface MadeVector {
  /** L2-normalised. */
  readonly vector: Float32Array;
  /** The signs of its tokens, where the embedder tells them. */
  readonly tokens: Buffer | undefined;
}

export interface NumberedItem {
  readonly kind: IndexedKind;
  readonly number: number;
}

export interface NeighbourQuery {
  /** Normalised. */
  readonly vector: Float32Array;
  /** Whether only a part of what is near may be shown, so that twice as many are wanted. */
  readonly ofAPart?: boolean | undefined;
  /** Whether the search looks at the time, and ends when it is up. */
  readonly isTimed?: boolean | undefined;
  /** Kinds whose items are wanted, default all; none are found of the others. */
  readonly kinds?: readonly IndexedKind[] | undefined;
}

/**
 * Which vectors are nearest, by their signs, one bit a dimension: one for each engine. The exact
 * vectors are rows of the table `vectors`.
 */
export interface VectorIndex {
  /** Whether it is made for vectors of one length, by `create`, and gone after `drop`. */
  readonly isOfOneLength: boolean;
  exists(tx: Tx): Promise<boolean>;
  /** Makes the index for vectors of this length; what is there of it already stays. */
  create(tx: Tx, dimensions: number): Promise<void>;
  drop(tx: Tx): Promise<void>;
  /** Adds an item that the index does not hold. */
  add(tx: Tx, item: NumberedItem, vector: Float32Array): Promise<void>;
  remove(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void>;
  /**
   * Numbers of the items of each kind whose sign bits differ least from the query's: about 130, in
   * no order; of a kind of which few have a vector, all of those.
   */
  nearest(tx: Tx, query: NeighbourQuery): Promise<Record<IndexedKind, number[]>>;
  /** Statements, outside of any transaction, after which a search of many vectors takes less time. */
  refinements(tx: Tx): Promise<readonly string[]>;
  /** What the engine lacks for searching well, and how it gets that. */
  shortcoming(tx: Tx): Promise<{ readonly message: string } | "not known yet" | undefined>;
  /** What is wrong with the index, compared with the vectors. */
  findProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]>;
  /** Items of which the index and the vectors tell different things. */
  differing(tx: Tx, kind: IndexedKind): Promise<number[]>;
  /** Whether a search misses what the index holds, so that only making it anew helps. */
  isBlind(tx: Tx, kind: IndexedKind): Promise<boolean>;
}
