import type { Reading, SignedReading } from "./embedder.ts";
import { signBits } from "./vector.ts";

/**
 * Tokens of an item that are kept: 48 bytes each. A longer text says what it is about in its first
 * paragraph, and its vector and the text index hold all of it.
 */
const MOST_TOKENS = 128;

/** What is stored of a reading. */
export function signedReading(reading: Reading): SignedReading {
  const { vector, tokens } = reading;
  return { vector, signs: tokens.length === 0 ? undefined : encodeTokenSigns(reading) };
}

/** The signs of the first tokens, one after the other: what late interaction compares. */
export function encodeTokenSigns({ tokens }: Reading): Buffer {
  return Buffer.concat(tokens.slice(0, MOST_TOKENS).map(({ vector }) => signBits(vector)));
}
