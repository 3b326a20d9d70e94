import type { ExecuteOptions } from "../context/execute-options.ts";

/** A tool call that the agent is about to make or has just made. */
export interface MomentOfUse {
  readonly use: "read" | "edit" | "run";
  /** Paths relative to the project, with `/`. */
  readonly files: readonly string[];
  /** Symbols that the call is about to change. */
  readonly symbols?: readonly string[];
  readonly command?: string;
  /** Lines that the call adds to files. */
  readonly added?: readonly string[];
}

export interface MomentRequest extends MomentOfUse {
  readonly shown: { has(id: string): boolean };
  readonly ownSource?: { readonly kind: string; readonly key: string };
  readonly timeoutMs?: number;
  /** Clock for `timeoutMs` if not wall time. */
  readonly clock?: ExecuteOptions["clock"];
  readonly signal?: AbortSignal;
}
