import { Buffer } from "node:buffer";
import { fromStoredText, toStoredText } from "./postgres-text.ts";

/** PostgreSQL's type numbers. */
const BOOLEAN = 16;
const BYTES = 17;
const JSON_TEXT = 114;
const NUMBERS: readonly number[] = [20, 21, 23, 26, 700, 701, 1700];

/**
 * Converts values to what SQLite returns: every number as a number, booleans as 1 or 0, bytes as a buffer.
 */
export function parserOf(type: number): (text: string) => unknown {
  if (NUMBERS.includes(type)) return Number;
  if (type === BOOLEAN) return (text) => (text === "t" ? 1 : 0);
  if (type === JSON_TEXT) return (text) => JSON.parse(text) as unknown;
  if (type === BYTES) return (text) => Buffer.from(text.slice(2), "hex");
  return fromStoredText;
}

/** Converts a parameter to the driver's form. */
export function toParameter(value: unknown): unknown {
  if (typeof value === "string") return toStoredText(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  return Array.isArray(value) ? value.map(toParameter) : value;
}
