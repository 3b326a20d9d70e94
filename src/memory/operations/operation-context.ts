import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { Logger } from "../../shared/logger.ts";
import type { ChangesetExposure } from "../changeset/changeset-form.ts";
import type { MemoryPlace } from "../context/memory-place.ts";
import type { WriteContext } from "../context/write-context.ts";

/** As much of an operation as another one needs in order to run it. */
export interface RunnableOperation {
  readonly target?: string;
  writes?(tx: Tx, input: Record<string, unknown>): Promise<readonly string[]>;
  readonly input: z.ZodObject;
  readonly changeset?: ChangesetExposure;
  run(context: OperationContext, input: Record<string, unknown>): Promise<unknown>;
  runTogether?(
    context: OperationContext,
    inputs: readonly Record<string, unknown>[],
  ): Promise<unknown[]>;
}

/** What an operation works with: one transaction, one moment. */
export interface OperationContext<Prepared = unknown> extends WriteContext {
  readonly operations: ReadonlyMap<string, RunnableOperation>;
  readonly logger: Logger;
  readonly place: MemoryPlace;
  /** Where a text may be that is in no table any more, one sentence each. */
  keptElsewhere(): Promise<string[]>;
  /** What `prepare` returned. */
  readonly prepared: Prepared;
  /** The transaction is rolled back once the operation has returned. */
  rollBackAfterwards(): void;
  /** Of an operation that may erase: this time it has erased nothing, so that no file is written anew. */
  hasErasedNothing(): void;
}
