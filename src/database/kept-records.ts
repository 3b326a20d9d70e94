/** A record as it is kept. */
export interface KeptRecord {
  readonly id: string;
  readonly value: object;
}

/**
 * Small records of a place of databases, such as who may come in: every server of the place knows
 * them. A kind is a word in small letters, an id 1 to 200 letters, digits, dots, underscores or
 * hyphens.
 */
export interface KeptRecords {
  get(kind: string, id: string): Promise<object | undefined>;
  /** By id; with a prefix those whose id begins so. */
  list(kind: string, prefix?: string): Promise<KeptRecord[]>;
  /**
   * Changes one while nobody else changes it: `change` gets what is there and returns what shall be
   * there, undefined for nothing. What it throws leaves all as it was.
   */
  change(
    kind: string,
    id: string,
    change: (before: object | undefined) => object | undefined,
  ): Promise<void>;
}
