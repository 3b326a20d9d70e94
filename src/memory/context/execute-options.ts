/** What a caller may say about one call of an operation. */
export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Fills `session` of a remembered episode that names none. */
  readonly session?: string;
  /** Through what the caller came; it is the author of a change that nobody asserted. */
  readonly surface?: Surface;
  /** Who writes, where that is known and the input does not say. */
  readonly author?: string;
  /** Is told the id of the change that a write was, once it is stored; not when it changed nothing. */
  readonly onChange?: (change: string) => void;
}

export type Surface = "cli" | "rest" | "mcp" | "agent" | "library";

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}
