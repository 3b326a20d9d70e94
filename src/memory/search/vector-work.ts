import type { Deadline } from "../../shared/deadline.ts";
import type { Progress } from "../context/execute-options.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";

export interface ItemKey {
  readonly kind: IndexedKind;
  readonly itemId: number;
}

export interface VectorWork {
  /** Only these items; default all. */
  readonly among?: readonly ItemKey[] | undefined;
  /** The most items to process; default all. */
  readonly limit?: number | undefined;
  /** Skip items that have a vector already and would only get a better one. */
  readonly onlyUrgent?: boolean | undefined;
  /** Work that is not finished by then is left for later. */
  readonly deadline?: Deadline | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}
