import type { Tx } from "../../database/index.ts";
import type { Caller } from "../../shared/caller.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { VectorService } from "./vector-service.ts";

export interface OuterMemory {
  readonly name: string;
  executeNamed(
    operation: string,
    input: unknown,
    options: ExecuteOptions & { readonly caller: Caller },
  ): Promise<unknown>;
}

export interface PrepareContext {
  readonly vectors: VectorService;
  readonly clock: Clock;
  read<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  readonly options: ExecuteOptions;
  readonly database: string;
  outerLayers(): readonly OuterMemory[];
}
