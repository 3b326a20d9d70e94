import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import type { Problem } from "../context/problem.ts";

export interface ComputedVector {
  readonly vector: Float32Array;
  readonly tokens: Buffer | undefined;
}

export interface NumberedItem {
  readonly kind: IndexedKind;
  readonly number: number;
}

export interface NeighbourQuery {
  readonly vector: Float32Array;
  /** True if results are filtered afterwards, so that twice as many are fetched. */
  readonly ofAPart?: boolean | undefined;
  readonly isTimed?: boolean | undefined;
  readonly kinds?: readonly IndexedKind[] | undefined;
  readonly coverage?: VectorCoverage | undefined;
}

export interface VectorCoverage {
  readonly graph: boolean;
  /** Kinds with too many vectors for exhaustive comparison. */
  readonly many: readonly IndexedKind[];
}

/** Finds nearest vectors by sign bits. The exact vectors are in the table `vectors`. */
export interface VectorIndex {
  /** True if the index requires equal vector lengths; then `create` and `drop` manage it. */
  readonly isOfOneLength: boolean;
  exists(tx: Tx): Promise<boolean>;
  create(tx: Tx, dimensions: number): Promise<void>;
  drop(tx: Tx): Promise<void>;
  add(tx: Tx, item: NumberedItem, vector: Float32Array): Promise<void>;
  remove(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void>;
  loadCoverage?(tx: Tx, kinds: readonly IndexedKind[]): Promise<VectorCoverage>;
  /** Returns about 130 items per kind with the smallest Hamming distances, unordered. */
  nearest(tx: Tx, query: NeighbourQuery): Promise<Record<IndexedKind, number[]>>;
  refinements(tx: Tx): Promise<readonly string[]>;
  shortcoming(tx: Tx): Promise<{ readonly message: string } | "not known yet" | undefined>;
  findProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]>;
  differing(tx: Tx, kind: IndexedKind): Promise<number[]>;
  /** True if a search misses indexed items, so that only a rebuild helps. */
  isBlind(tx: Tx, kind: IndexedKind): Promise<boolean>;
}
