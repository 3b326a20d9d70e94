/** Bounds of one memory; tests lower them. */
export interface MemoryLimits {
  readonly contentBytes: number;
  readonly changesetOps: number;
  /** Days after the last mention until an unconfirmed proposal expires. */
  readonly proposalDays: number;
}

export const DEFAULT_LIMITS: MemoryLimits = {
  contentBytes: 1024 * 1024,
  changesetOps: 10_000,
  proposalDays: 60,
};

export const INPUT_LIMITS = {
  nameChars: 512,
  referenceChars: 4_096,
  noteChars: 65_536,
  listEntries: 10_000,
  /** Entities and labels of one item; each is searched for secrets and indexed. */
  itemNames: 1_000,
  /** Fact collisions that one write compares; further ones are only counted. */
  comparedCollisions: 50_000,
  passagesOfReading: 5_000,
  labelFilters: 100,
} as const;
