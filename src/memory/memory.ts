import type { Caller } from "../shared/caller.ts";
import type { ExecuteOptions } from "./context/execute-options.ts";
import type { Operation } from "./operations/define-operation.ts";
import type { InputOf, OperationName, OutputOf } from "./operations/registry.ts";
import type { LoggedRecall } from "./recall-log/logged-recall.ts";

export type CallOptions = ExecuteOptions & { readonly caller: Caller };

export interface Memory {
  readonly name: string;
  readonly operations: ReadonlyMap<string, Operation>;
  isThere(): Promise<boolean>;
  /**
   * Validates `input` against the operation's schema (unknown fields are errors that suggest the
   * nearest known one), runs it and returns its output. Throws CairnError.
   */
  execute<Name extends OperationName>(
    operation: Name,
    input: InputOf<Name>,
    options?: ExecuteOptions,
  ): Promise<OutputOf<Name>>;
  /**
   * Runs a registered operation by name. Throws forbidden if the caller's token does not allow it.
   */
  executeNamed(operation: string, input: unknown, options: CallOptions): Promise<unknown>;
  noteRecall?(recall: LoggedRecall): void;
  close(): Promise<void>;
}
