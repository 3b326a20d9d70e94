import type { Deadline } from "../../shared/deadline.ts";
import type { Progress } from "../context/execute-options.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";

export interface ItemKey {
  readonly kind: IndexedKind;
  readonly itemId: number;
}

export interface VectorWork {
  readonly items?: readonly ItemKey[] | undefined;
  readonly limit?: number | undefined;
  readonly onlyUrgent?: boolean | undefined;
  /** Unfinished work is left for later. */
  readonly deadline?: Deadline | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}
