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
  readonly database: Database;
  /** Undefined: recall uses only text and graph. */
  readonly embedder: Embedder | undefined;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly logger: Logger;
  readonly episodeTypes?: readonly string[];
  readonly limits?: MemoryLimits;
  readonly secrets?: SecretRule;
  /** Purges deleted items after this time, such as `30d`. Default: off. */
  readonly retention?: string;
  readonly recallLog?: RecallLogBounds | undefined;
  readonly outerLayers?: () => readonly LayeredMemory[];
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** A missing database reads as empty instead of not_found. */
  readonly readsAsEmpty?: boolean;
  /** Any writer may create the database; else only an admin. */
  readonly isMadeByAnyWriter?: boolean;
  /** Computes vectors after each write, for long-running servers. */
  readonly vectorsInBackground?: boolean;
  /**
   * Recalls waiting for vectors, shared by all memories of the process. Default: a separate list.
   */
  readonly waiting?: WaitingRecalls;
  readonly readOnly?: boolean;
}
