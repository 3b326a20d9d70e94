import type { Tx } from "../../database/index.ts";
import type { IdSource } from "../../shared/ids.ts";
import type { NewEvent } from "../events/event-items.ts";
import type { MemoryLimits } from "../input/limits.ts";
import type { IndexPart } from "./derived-part.ts";
import type { ExecuteOptions } from "./execute-options.ts";
import type { IndexedKind } from "./indexed-kind.ts";
import type { NewItem } from "./new-item.ts";

export interface WriteContext {
  readonly tx: Tx;
  readonly now: string;
  readonly ids: IdSource;
  readonly episodeTypes: readonly string[];
  readonly limits: MemoryLimits;
  readonly options: ExecuteOptions;
  /**
   * `all`: report all collisions of a fact, not only the closest. `left`: remaining comparisons in
   * this call, which bounds the quadratic cost.
   */
  readonly collisions: { readonly all: boolean; left: number };
  readonly change: Promise<number>;
  /** Appends an event to the feed in this transaction. Throws in reads. */
  emit(event: NewEvent): Promise<void>;
  touch(kind: IndexedKind, number: number): void;
  /** Schedules new vectors for episodes whose context changed. */
  renew(episodes: readonly number[]): void;
  /** Logs a warning, once, that a part of the index is damaged. */
  warnDamage(part: IndexPart): void;
  touchNew(item: NewItem): void;
}
