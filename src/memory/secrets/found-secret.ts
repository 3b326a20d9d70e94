/** A key or token in a text. */
export interface FoundSecret {
  /** Offsets in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** What it is, e.g. `github-token`. */
  readonly kind: string;
}
