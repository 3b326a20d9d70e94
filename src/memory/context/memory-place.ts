export interface MemoryPlace {
  readonly database: string;
  /** Shortened: `~/…`, or the last part. */
  readonly folder: string;
}
