import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { Logger } from "../../shared/logger.ts";
import type { ChangesetExposure } from "../changeset/changeset-form.ts";
import type { MemoryLocation } from "../context/memory-location.ts";
import type { WriteContext } from "../context/write-context.ts";

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

export interface OperationContext<Prepared = unknown> extends WriteContext {
  readonly operations: ReadonlyMap<string, RunnableOperation>;
  readonly logger: Logger;
  readonly location: MemoryLocation;
  findOtherCopies(): Promise<string[]>;
  readonly prepared: Prepared;
  rollBackAfterwards(): void;
  hasErasedNothing(): void;
}
