import type { Reading, SignedReading } from "./embedder.ts";
import { signBits } from "./vector.ts";

/**
 * Number of tokens of an item are stored, 48 bytes each. A longer text names its subject in its
 * first paragraph, and its vector and the text index cover all of it.
 */
const MAX_TOKENS = 128;

/** Converts a reading to its stored form. */
export function signedReading(reading: Reading): SignedReading {
  const { vector, tokens } = reading;
  return { vector, signs: tokens.length === 0 ? undefined : encodeTokenSigns(reading) };
}

/** The signs of the first tokens, one after another, for late interaction. */
export function encodeTokenSigns({ tokens }: Reading): Buffer {
  return Buffer.concat(tokens.slice(0, MAX_TOKENS).map(({ vector }) => signBits(vector)));
}
