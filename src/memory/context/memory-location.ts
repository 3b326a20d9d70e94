export interface MemoryLocation {
  readonly database: string;
  /** Shortened path: `~/…` or the last component. */
  readonly folder: string;
}
