import type { Deadline } from "../../shared/deadline.ts";
import type { Progress } from "../context/execute-options.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";

export interface ItemKey {
  readonly kind: IndexedKind;
  readonly itemId: number;
}

export interface VectorWork {
  /** Restricts to these items; default: all. */
  readonly among?: readonly ItemKey[] | undefined;
  /** Maximum items; default: all. */
  readonly limit?: number | undefined;
  /** Skips items that already have a vector. */
  readonly onlyUrgent?: boolean | undefined;
  /** Unfinished work is left for later. */
  readonly deadline?: Deadline | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}
