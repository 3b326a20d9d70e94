import type { Tx } from "../../database/index.ts";
import type { Caller } from "../../shared/caller.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { VectorService } from "./vector-service.ts";

/** A memory layer behind the database that is asked. */
export interface FartherMemory {
  readonly name: string;
  isThere(): Promise<boolean>;
  /** One short read transaction of that layer. */
  readHere<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  executeNamed(
    operation: string,
    input: unknown,
    options: ExecuteOptions & { readonly caller: Caller },
  ): Promise<unknown>;
  /** Takes back changes of that layer, all or none; the answer is that of `undo`. */
  takeBack(
    changes: TakenElsewhere,
    options: ExecuteOptions & { readonly caller: Caller },
  ): Promise<unknown>;
}

export interface TakenElsewhere {
  /** Their ids. */
  readonly changes: readonly string[];
  /** What that is called there. */
  readonly as: "undo" | "redo";
  readonly isRehearsal: boolean;
}

/** What an operation can use before its transaction begins. */
export interface PrepareContext {
  readonly vectors: VectorService;
  readonly clock: Clock;
  /** Runs one short read transaction. */
  read<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  readonly options: ExecuteOptions;
  /** Name of the database that is asked. */
  readonly database: string;
  /** The layers behind the database, nearest first, without checking whether the caller may open them. */
  farther(): readonly FartherMemory[];
  /**
   * Of a write: what it would answer given this as `prepared`, in a transaction that is rolled back. Undefined where
   * its answer is kept, since it was done before. Throws what it would throw.
   */
  rehearse(prepared: unknown): Promise<unknown>;
}
