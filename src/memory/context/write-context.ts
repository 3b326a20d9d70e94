import type { Tx } from "../../database/index.ts";
import type { IdSource } from "../../shared/ids.ts";
import type { NewEvent } from "../events/items-of-event.ts";
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
   * True if the answer shows all collisions of a fact or the closest, and how many more the call
   * may
   * compare: facts about one thing collide each with each.
   */
  readonly collisions: { readonly all: boolean; left: number };
  /** Number of the change that this transaction is: known with the first answer of the database. */
  readonly change: Promise<number>;
  /** Appends one event to the feed, in this transaction. Reads throw. */
  emit(event: NewEvent): Promise<void>;
  touch(kind: IndexedKind, number: number): void;
  /** Asks for new vectors of episodes that were read after one that loses its session. */
  renew(episodes: readonly number[]): void;
  /** Warns, once, that a part of the index could not be used. */
  tellDamage(part: IndexPart): void;
  touchNew(item: NewItem): void;
}
