import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { ChangesetForm } from "../changeset/changeset-form.ts";
import type { VectorService } from "../search/vector-service.ts";
import type { ExecuteOptions } from "./execute-options.ts";
import type { WriteContext } from "./write-context.ts";

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
export interface OperationContext<Prepared = unknown> extends WriteContext {
  readonly operations: ReadonlyMap<string, RunnableOperation>;
  readonly logger: Logger;
  /** What `prepare` returned. */
  readonly prepared: Prepared;
  /** The transaction is rolled back once the operation has returned. */
  rollBackAfterwards(): void;
}
