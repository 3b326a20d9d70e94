/** Bounds of one memory; tests lower them. */
export interface MemoryLimits {
  /** Content of an episode, summary of a concept: bytes of UTF-8. */
  readonly contentBytes: number;
  readonly changesetOps: number;
  /** A proposal that nobody confirms fades so long after it was said last. */
  readonly proposalDays: number;
}

export const DEFAULT_LIMITS: MemoryLimits = {
  contentBytes: 1024 * 1024,
  changesetOps: 10_000,
  proposalDays: 60,
};

/** Fixed bounds of what one request may carry, each with an error that names it. */
export const LIMITS = {
  nameChars: 512,
  referenceChars: 4_096,
  noteChars: 65_536,
  /** Entries in a list of ids or tags. */
  listEntries: 10_000,
  /** Entities and labels of one item; each is searched for secrets and indexed. */
  itemNames: 1_000,
  /** Collisions of facts that one write compares before it leaves further ones out. */
  comparedCollisions: 50_000,
  passagesOfReading: 5_000,
  /** Labels that one search or list is narrowed to. */
  labelFilters: 100,
} as const;
