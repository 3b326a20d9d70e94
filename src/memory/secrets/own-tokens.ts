import type { FoundSecret } from "./found-secret.ts";

/** Tokens of `cairn token create`. */
const OWN_TOKEN = /\bcairn_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;

export function findOwnTokens(text: string): FoundSecret[] {
  return Array.from(text.matchAll(OWN_TOKEN), ({ 0: token, index }) => ({
    start: index,
    end: index + token.length,
    kind: "cairn-token",
  }));
}
