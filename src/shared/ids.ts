import { randomBytes } from "node:crypto";

export interface IdSource {
  /** A new opaque id of lower-case letters and digits that starts with `prefix`. */
  next(prefix: string): string;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** 16 characters of Crockford's base 32, 80 random bits, with a digit among them: it is no word. */
export const randomIds: IdSource = {
  next(prefix) {
    for (;;) {
      const id = Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
      if (/\d/.test(id)) return prefix + id;
    }
  },
};

/** Prefixes of numbered ids: `ep:<n>`, `fact:<n>`. */
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

/** Prefix of the kind's ids with the colon: `ep:`. */
export const beginningOfIds = (kind: NumberedKind): string => `${BEGINNINGS[kind]}:`;
