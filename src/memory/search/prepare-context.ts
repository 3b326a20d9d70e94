import type { Tx } from "../../database/index.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { VectorService } from "./vector-service.ts";

/** A layer behind the database that is asked. */
export interface FartherMemory {
  readonly name: string;
  executeNamed(
    operation: string,
    input: unknown,
    options: ExecuteOptions & { readonly caller: Caller },
  ): Promise<unknown>;
}

/** What an operation may do before its transaction. */
export interface PrepareContext {
  readonly vectors: VectorService;
  readonly clock: Clock;
  /** One short read transaction of its own. */
  read<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  readonly options: ExecuteOptions;
  /** Name of the database that is asked. */
  readonly database: string;
  /** The layers behind it, nearest first, whoever may open them. */
  farther(): readonly FartherMemory[];
}
