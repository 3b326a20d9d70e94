import type { Database } from "../database/index.ts";
import type { Embedder } from "../embedding/index.ts";
import type { Clock } from "../shared/clock.ts";
import type { IdSource } from "../shared/ids.ts";
import type { Logger } from "../shared/logger.ts";
import type { MemoryLimits } from "./input/limits.ts";
import type { LayeredMemory } from "./layers/recall-layers.ts";
import type { Operation } from "./operations/define-operation.ts";
import type { RecallLogBounds } from "./recall-log/store-recalls.ts";
import type { WaitingRecalls } from "./search/shared-batch.ts";
import type { SecretRule } from "./secrets/secret-rules.ts";

export interface MemoryOptions {
  readonly name: string;
  /** Is made by the first write, and closed with the memory. */
  readonly database: Database;
  /** Undefined: recall works on text and graph alone. */
  readonly embedder: Embedder | undefined;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly logger: Logger;
  readonly episodeTypes?: readonly string[];
  readonly limits?: MemoryLimits;
  readonly secrets?: SecretRule;
  /** Days after which the text of deleted items is purged, as `30d`. Default: off. */
  readonly retention?: string;
  readonly recallLog?: RecallLogBounds | undefined;
  /** The layers behind this one, which recall of a surface reads, too. */
  readonly farther?: () => readonly LayeredMemory[];
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** A database that does not exist reads as empty instead of not_found. */
  readonly readsAsEmpty?: boolean;
  /** Whoever may write makes it with the first write; else only an admin does. */
  readonly isMadeByAnyWriter?: boolean;
  /** Computes vectors after each write, for long-running servers. */
  readonly vectorsInBackground?: boolean;
  /** The recalls that wait for vectors, of all memories of the process. Default: of this one. */
  readonly waiting?: WaitingRecalls;
  /** Refuses every write. */
  readonly readOnly?: boolean;
}
