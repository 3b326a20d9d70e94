import type { Caller } from "../../shared/caller.ts";
import type { Clock } from "../../shared/clock.ts";

export interface ExecuteOptions {
  /** Cancels the call: an uncommitted write is rolled back. */
  readonly signal?: AbortSignal;
  /** Cancels the call after this time with `busy`. */
  readonly timeoutMs?: number | undefined;
  /** Clock for the soft limit (`timeout_ms`) if not wall time. */
  readonly clock?: Clock | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** Default `session` of remembered episodes. */
  readonly session?: string;
  /** Groups calls: `log` and `undo` accept this name as a session. */
  readonly run?: string;
  readonly client?: string | undefined;
  /** Receives recall results that `max_chars` excluded, best first. */
  readonly onLeftOut?:
    | ((items: readonly { readonly id: string; readonly score: number }[]) => void)
    | undefined;
  readonly surface?: Surface;
  readonly caller?: Caller;
  readonly author?: string;
  readonly onChange?: (change: string) => void;
  /** Limits lists that are otherwise complete; the result states how many items were omitted. */
  readonly maxItems?: number;
  /**
   * Consumes a read's result within its transaction; its return value becomes the call's result.
   * Long lists arrive as `SlicedList`.
   */
  readonly consume?: (output: unknown) => Promise<unknown>;
  readonly once?: Once;
}

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
