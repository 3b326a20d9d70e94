/** What the ids of each numbered kind begin with: `ep:<n>`, `fact:<n>`. */
export const BEGINNINGS = {
  episode: "ep",
  fact: "fact",
  conflict: "conflict",
  source: "source",
  passage: "passage",
  proposal: "proposal",
} as const;

export type NumberedKind = keyof typeof BEGINNINGS;

export function isNumbered(kind: string): kind is NumberedKind {
  return kind in BEGINNINGS;
}

/** What stands before the number in ids of the kind: `ep:`. */
export const beginningOfIds = (kind: NumberedKind): string => `${BEGINNINGS[kind]}:`;
