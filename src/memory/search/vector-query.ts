import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import type { Problem } from "../context/problem.ts";

export interface MadeVector {
  /** L2-normalised. */
  readonly vector: Float32Array;
  /** The sign bits of its tokens, if the embedder returns tokens. */
  readonly tokens: Buffer | undefined;
}

export interface NumberedItem {
  readonly kind: IndexedKind;
  readonly number: number;
}

export interface NeighbourQuery {
  /** L2-normalised. */
  readonly vector: Float32Array;
  /** True if only some of the nearest items may be shown, so that twice as many are fetched. */
  readonly ofAPart?: boolean | undefined;
  readonly isTimed?: boolean | undefined;
  readonly kinds?: readonly IndexedKind[] | undefined;
  readonly standing?: VectorStanding | undefined;
}

export interface VectorStanding {
  readonly graph: boolean;
  /** Kinds that have more vectors than are compared one by one. */
  readonly many: readonly IndexedKind[];
}

/**
 * Finds the nearest vectors by their signs, one bit a dimension. Each engine has its own implementation. The
 * exact vectors are rows of the table `vectors`.
 */
export interface VectorIndex {
  /**
   * True if the index works for vectors of one length only; then `create` makes and `drop` removes
   * it.
   */
  readonly isOfOneLength: boolean;
  exists(tx: Tx): Promise<boolean>;
  create(tx: Tx, dimensions: number): Promise<void>;
  drop(tx: Tx): Promise<void>;
  add(tx: Tx, item: NumberedItem, vector: Float32Array): Promise<void>;
  remove(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void>;
  standing?(tx: Tx, kinds: readonly IndexedKind[]): Promise<VectorStanding>;
  /**
   * For each kind, the numbers of the items whose sign bits differ least from the query's: about 130,
   * unordered. If few items of a kind have a vector, all of them.
   */
  nearest(tx: Tx, query: NeighbourQuery): Promise<Record<IndexedKind, number[]>>;
  refinements(tx: Tx): Promise<readonly string[]>;
  shortcoming(tx: Tx): Promise<{ readonly message: string } | "not known yet" | undefined>;
  findProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]>;
  differing(tx: Tx, kind: IndexedKind): Promise<number[]>;
  /** True if a search misses items that the index holds, so that only rebuilding helps. */
  isBlind(tx: Tx, kind: IndexedKind): Promise<boolean>;
}
