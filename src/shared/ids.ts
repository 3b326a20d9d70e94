import { randomBytes } from "node:crypto";

export interface IdSource {
  /** Returns a new id of `prefix` and lowercase letters and digits. */
  next(prefix: string): string;
}

const ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * 16 characters of Crockford's base 32 (80 random bits), including a digit so that ids are never
 * words.
 */
export const randomIds: IdSource = {
  next(prefix) {
    for (;;) {
      const id = Array.from(randomBytes(16), (byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join(
        "",
      );
      if (/\d/.test(id)) return prefix + id;
    }
  },
};

export const ID_PREFIXES = {
  episode: "ep",
  fact: "fact",
  conflict: "conflict",
  source: "source",
  passage: "passage",
  proposal: "proposal",
} as const;

export type NumberedKind = keyof typeof ID_PREFIXES;

export function isNumbered(kind: string): kind is NumberedKind {
  return kind in ID_PREFIXES;
}

/** Such as `ep:`. */
export const idPrefix = (kind: NumberedKind): string => `${ID_PREFIXES[kind]}:`;
