/** A record as it is kept. */
export interface KeptRecord {
  readonly id: string;
  readonly value: object;
}

/**
 * Small records of a place of databases, such as who may come in. Every server of the place sees them. A kind
 * is a word in small letters; an id is 1 to 200 letters, digits, dots, underscores or hyphens.
 */
export interface KeptRecords {
  get(kind: string, id: string): Promise<object | undefined>;
  /** The records of a kind by id, optionally only those whose id begins with `prefix`. */
  list(kind: string, prefix?: string): Promise<KeptRecord[]>;
  /**
   * Changes a record while nobody else changes it. `change` gets the current record and returns the new one,
   * or undefined to remove it. If it throws, nothing changes.
   */
  change(
    kind: string,
    id: string,
    change: (before: object | undefined) => object | undefined,
  ): Promise<void>;
}
