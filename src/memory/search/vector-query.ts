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
  /** Whether only some of the nearest items may be shown, so that twice as many are fetched. */
  readonly ofAPart?: boolean | undefined;
  /** Whether the search checks the time and ends when it is up. */
  readonly isTimed?: boolean | undefined;
  /** Kinds to search, default all. Nothing of other kinds is found. */
  readonly kinds?: readonly IndexedKind[] | undefined;
  /** What was known of the vectors a moment before. */
  readonly standing?: VectorStanding | undefined;
}

/** What decides how the nearest vectors are searched. */
export interface VectorStanding {
  /** Whether a graph of neighbours can be asked. */
  readonly graph: boolean;
  /** Kinds that have more vectors than are compared one by one. */
  readonly many: readonly IndexedKind[];
}

/**
 * Finds the nearest vectors by their signs, one bit a dimension. Each engine has its own implementation. The
 * exact vectors are rows of the table `vectors`.
 */
export interface VectorIndex {
  /** Whether the index works for vectors of one length only; then `create` makes and `drop` removes it. */
  readonly isOfOneLength: boolean;
  exists(tx: Tx): Promise<boolean>;
  /** Creates the index for vectors of this length; existing parts are kept. */
  create(tx: Tx, dimensions: number): Promise<void>;
  drop(tx: Tx): Promise<void>;
  /** Adds an item that the index does not contain yet. */
  add(tx: Tx, item: NumberedItem, vector: Float32Array): Promise<void>;
  remove(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void>;
  /** For an index whose search begins with asking for it: saves a round trip if it is known before. */
  standing?(tx: Tx, kinds: readonly IndexedKind[]): Promise<VectorStanding>;
  /**
   * For each kind, the numbers of the items whose sign bits differ least from the query's: about 130,
   * unordered. If few items of a kind have a vector, all of them.
   */
  nearest(tx: Tx, query: NeighbourQuery): Promise<Record<IndexedKind, number[]>>;
  /** Statements to run outside of any transaction that make searches of many vectors faster. */
  refinements(tx: Tx): Promise<readonly string[]>;
  /** What the engine lacks for searching well, and how to get it. */
  shortcoming(tx: Tx): Promise<{ readonly message: string } | "not known yet" | undefined>;
  /** Problems of the index, compared with the vectors. */
  findProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]>;
  /** Items for which index and vectors do not match. */
  differing(tx: Tx, kind: IndexedKind): Promise<number[]>;
  /** Whether a search misses items that the index holds, so that only rebuilding helps. */
  isBlind(tx: Tx, kind: IndexedKind): Promise<boolean>;
}
