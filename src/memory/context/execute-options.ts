import type { Caller } from "../../shared/caller.ts";
import type { Clock } from "../../shared/clock.ts";

export interface ExecuteOptions {
  /** Ends the call when it aborts: a write that is not stored by then never is. */
  readonly signal?: AbortSignal;
  /** The same once so many milliseconds are over, with `busy`. */
  readonly timeoutMs?: number | undefined;
  /** Clock for the soft limit (`timeout_ms`) if not wall time. */
  readonly pace?: Clock | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** Fills `session` of a remembered episode that names none. */
  readonly session?: string;
  /** Many calls that are one piece of work: `log` and `undo` take its name as the session. */
  readonly run?: string;
  readonly client?: string | undefined;
  /** Receives results of recall that `max_chars` excluded, best first. */
  readonly onLeftOut?:
    | ((items: readonly { readonly id: string; readonly score: number }[]) => void)
    | undefined;
  readonly surface?: Surface;
  readonly caller?: Caller;
  readonly author?: string;
  readonly onChange?: (change: string) => void;
  readonly seen?: number;
  /** At most so many items of a list that is otherwise whole; the answer counts those left out. */
  readonly most?: number;
  /**
   * Consumes a read's result within its transaction; its return value becomes the call's result.
   * Long lists arrive as `SlicedList`.
   */
  readonly consume?: (output: unknown) => Promise<unknown>;
  readonly once?: Once;
}

/** What `ExecuteOptions.once` says. */
export interface Once {
  readonly name: string;
  readonly settled: readonly string[];
}

export type Surface = "cli" | "rest" | "mcp" | "agent" | "library";

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}
