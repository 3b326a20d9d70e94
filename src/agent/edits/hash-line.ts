import { createHash } from "node:crypto";

/** Hexadecimal digits; with the line number, enough to notice a change. */
const HASH_LENGTH = 4;

/** Covers the line except its end, so that an indentation change counts. */
export function hashLine(line: string): string {
  return createHash("sha256").update(line).digest("hex").slice(0, HASH_LENGTH);
}

/** `LINE:HASH|text`, counted from 1. */
export function hashline(line: string, number: number): string {
  return `${number}:${hashLine(line)}|${line}`;
}
