import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { IdSource } from "../../kernel/ids.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { ChangesetForm } from "../changeset/changeset-form.ts";
import type { NewEvent } from "../events/event.queries.ts";
import type { MemoryLimits } from "../input/limits.ts";
import type { IndexedKind } from "../search/search.table.ts";
import type { VectorService } from "../search/vector-service.ts";
import type { ExecuteOptions } from "./execute-options.ts";

/** As much of an operation as another one needs in order to run it. */
export interface RunnableOperation {
  readonly input: z.ZodObject;
  readonly changeset?: ChangesetForm;
  run(context: OperationContext, input: Record<string, unknown>): Promise<unknown>;
}

/** What an operation may do before its transaction. */
export interface PrepareContext {
  readonly vectors: VectorService;
  /** One short read transaction of its own. */
  read<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  readonly options: ExecuteOptions;
}

/** What an operation works with: one transaction, one moment. */
export interface OperationContext {
  readonly tx: Tx;
  /** Timestamp of everything that this transaction writes. */
  readonly now: string;
  readonly ids: IdSource;
  /** Built-in and custom episode types. */
  readonly episodeTypes: readonly string[];
  readonly operations: ReadonlyMap<string, RunnableOperation>;
  readonly limits: MemoryLimits;
  readonly options: ExecuteOptions;
  readonly logger: Logger;
  /** How many more collisions the answer may show: facts about one thing collide each with each. */
  readonly collisions: { left: number };
  /** What `prepare` returned. */
  readonly prepared: unknown;
  /** Appends one event to the feed, in this transaction. Reads throw. */
  emit(event: NewEvent): Promise<void>;
  /** Says that the text of an item changed; its index entry is rewritten before the commit. */
  touch(kind: IndexedKind, number: number): void;
  /** The transaction is rolled back once the operation has returned. */
  rollBackAfterwards(): void;
}
