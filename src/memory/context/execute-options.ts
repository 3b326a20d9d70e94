import type { Caller } from "../../shared/caller.ts";
import type { Clock } from "../../shared/clock.ts";

/** What a caller may say about one call of an operation. */
export interface ExecuteOptions {
  /** Ends the call when it aborts: a write that is not stored by then never is. */
  readonly signal?: AbortSignal;
  /** The same once so many milliseconds are over, with `busy`. */
  readonly timeoutMs?: number | undefined;
  /** What a soft limit (`timeout_ms` of the input) is counted by, if not by the time that passes. */
  readonly pace?: Clock | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** Fills `session` of a remembered episode that names none. */
  readonly session?: string;
  /** Many calls that are one piece of work: `log` and `undo` take its name as the session. */
  readonly run?: string;
  /** Name of the program that asks, where it says so. */
  readonly client?: string | undefined;
  /** Is told what recall found and `max_chars` left no room for, the best first. */
  readonly onLeftOut?:
    | ((items: readonly { readonly id: string; readonly score: number }[]) => void)
    | undefined;
  /** Through what the caller came; it is the author of a change that nobody asserted. */
  readonly surface?: Surface;
  /**
   * Who asks, as a token proves it: its scope is what may be done, its name the author of a change
   * whatever the input says.
   */
  readonly caller?: Caller;
  /** Who writes, where that is known and the input does not say. */
  readonly author?: string;
  /** Is told the id of the change that a write was, once it is stored; not when it changed nothing. */
  readonly onChange?: (change: string) => void;
  /**
   * The number of the newest event that the caller knows of: what is read is not older, whichever
   * server reads it. What went through this process is known anyway.
   */
  readonly seen?: number;
  /** At most so many items of a list that is otherwise whole; the answer counts those left out. */
  readonly most?: number;
  /**
   * Takes the answer of a read within its transaction, which ends with it; what it returns is the
   * answer of the call. Long lists come as `SlicedList`, so that they are never held whole.
   */
  readonly consume?: (output: unknown) => Promise<unknown>;
  /**
   * A write under this name is done once, however often it is asked for: whoever did not learn what
   * became of it asks again. An idempotency key of the input comes first.
   */
  readonly once?: Once;
}

/** What `ExecuteOptions.once` says. */
export interface Once {
  readonly name: string;
  /** Names of calls whose answers have arrived: they need not be kept any longer. */
  readonly settled: readonly string[];
}

export type Surface = "cli" | "rest" | "mcp" | "agent" | "library";

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}
