/** Where a memory is kept, as answers may name it. */
export interface MemoryPlace {
  readonly database: string;
  /** Shortened: `~/…`, or the last part. */
  readonly folder: string;
}
