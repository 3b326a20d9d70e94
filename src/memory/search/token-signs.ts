import type { Reading } from "../../embedding/index.ts";
import { signBits } from "./quantize.ts";

/**
 * Tokens of an item that are kept: 48 bytes each. A longer text says what it is about in its first
 * paragraph, and its vector and the text index hold all of it.
 */
const MOST_TOKENS = 128;

/** The signs of the first tokens, one after the other: what late interaction compares. */
export function encodeTokenSigns({ tokens }: Reading): Buffer {
  return Buffer.concat(tokens.slice(0, MOST_TOKENS).map(({ vector }) => signBits(vector)));
}
