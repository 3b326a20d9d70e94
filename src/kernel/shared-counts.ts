/** Something that is added to a count of a period. */
export interface Addition {
  /** What is counted, up to 200 characters. */
  readonly key: string;
  /** Number of the period; a later one begins at nothing, and an earlier one counts as the latest. */
  readonly period: number;
  readonly added: number;
  /** Nothing is added where the count would be more than this. */
  readonly most: number;
}

/** What was there before, and whether the addition was made. */
export interface Added {
  readonly isAdded: boolean;
  readonly before: number;
}

/** Counts of a place of databases, which all its servers add to. What a crash of the machine loses is a moment. */
export interface SharedCounts {
  add(addition: Addition): Promise<Added>;
}

/** Counts of one process. */
export class CountsInMemory implements SharedCounts {
  readonly #counted = new Map<string, { readonly period: number; readonly count: number }>();

  add({ key, period, added, most }: Addition): Promise<Added> {
    const known = this.#counted.get(key);
    const isLater = known === undefined || period > known.period;
    const before = isLater ? 0 : known.count;
    const isAdded = before + added <= most;
    if (isAdded) {
      this.#counted.set(key, { period: isLater ? period : known.period, count: before + added });
    }
    return Promise.resolve({ isAdded, before });
  }
}
