import type { ExecuteOptions } from "../context/execute-options.ts";

/** Something that an agent is about to do, or has just done. */
export interface MomentOfUse {
  readonly use: "read" | "edit" | "run";
  /** Paths as the project has them, with `/`. */
  readonly files: readonly string[];
  /** Names that are about to change. */
  readonly symbols?: readonly string[];
  readonly command?: string;
}

export interface MomentRequest extends MomentOfUse {
  /** Ids that this session has seen. */
  readonly shown: { has(id: string): boolean };
  readonly ownSource?: { readonly kind: string; readonly key: string };
  /** Milliseconds after which what was found is told. */
  readonly patienceMs?: number;
  /** What `patienceMs` is counted by, if not by the time that passes. */
  readonly pace?: ExecuteOptions["pace"];
  readonly signal?: AbortSignal;
}
