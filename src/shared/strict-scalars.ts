import { invalidInput } from "./errors.ts";

/**
 * Whole numbers, numbers and booleans as written on a command line, in a query string or in a compact
 * changeset. Each has one spelling: `5` is an integer; `5.0`, `0x5`, `05`, `+5` and ` 5 ` are not.
 */
const INTEGER = /^(0|-?[1-9][0-9]*)$/;
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** Throws invalid_input that names `field`. */
export function parseInteger(text: string, field: string): number {
  const value = Number(text);
  if (INTEGER.test(text) && Number.isSafeInteger(value)) return value;
  throw invalidInput(`${field} must be a whole number such as 5, not ${JSON.stringify(text)}.`);
}

/** Throws invalid_input that names `field`. */
export function parseNumber(text: string, field: string): number {
  const value = Number(text);
  if (NUMBER.test(text) && Number.isFinite(value)) return value;
  throw invalidInput(`${field} must be a number such as 0.5, not ${JSON.stringify(text)}.`);
}

/** Throws invalid_input that names `field`. */
export function parseBoolean(text: string, field: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw invalidInput(`${field} must be true or false, not ${JSON.stringify(text)}.`);
}
