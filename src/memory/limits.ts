/** Bounds of what one request may carry; documented, and each with an error that names it. */
export const LIMITS = {
  /** Content of an episode, summary of a concept: bytes of UTF-8. */
  contentBytes: 1024 * 1024,
  /** Ops in one changeset. */
  changesetOps: 10_000,
  /** Names, titles, label keys and values: characters. */
  nameChars: 512,
  /** References, sessions, notes' first lines: characters. */
  referenceChars: 4_096,
  /** Notes, reasons, descriptions: characters. */
  noteChars: 65_536,
  /** Entries in a list of entities, labels, ids or tags. */
  listEntries: 10_000,
  /** Collisions of facts that the answer to one write shows before it leaves further ones out. */
  shownCollisions: 50_000,
  /** Labels that one search or list is narrowed to. */
  labelFilters: 100,
} as const;
