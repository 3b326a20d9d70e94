import type { Tx } from "../../database/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { VectorService } from "./vector-service.ts";

/** What an operation may do before its transaction. */
export interface PrepareContext {
  readonly vectors: VectorService;
  readonly clock: Clock;
  /** One short read transaction of its own. */
  read<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  readonly options: ExecuteOptions;
}
