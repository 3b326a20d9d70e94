/** What a caller may say about one call of an operation. */
export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Fills `session` of a remembered episode that names none. */
  readonly session?: string;
}

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}
