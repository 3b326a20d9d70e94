export interface MemoryPlace {
  readonly database: string;
  /** Shortened path: `~/…` or the last component. */
  readonly folder: string;
}
