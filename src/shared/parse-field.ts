import { invalidInput } from "./errors.ts";
import type { FieldKind } from "./fields.ts";
import { JsonSyntaxError, parseJson, tryParseJson } from "./json.ts";

type Parse = (text: string, name: string) => unknown;

/** Parses flags, query strings, compact changesets and variables. */
const PARSERS: Readonly<Record<FieldKind, Parse>> = {
  text: (text) => text,
  integer: parseInteger,
  number: parseNumber,
  boolean: parseBoolean,
  list: parseList,
  textList: (text) => text,
  json: parseStructure,
};

/** Parses a field. `name` is the user's name for it, used in messages. Throws invalid_input. */
export function parseField(kind: FieldKind, text: string, name: string): unknown {
  return PARSERS[kind](text, name);
}

function parseStructure(text: string, name: string): unknown {
  if (text.trim() === "") return "";
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidInput(`${name} must be JSON: ${error.message}.`);
  }
}

/** Canonical spelling only: `5` is an integer; `5.0`, `0x5`, `05`, `+5` and ` 5 ` are not. */
const INTEGER_PATTERN = /^(0|-?[1-9][0-9]*)$/;
const NUMBER_PATTERN = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

export function parseInteger(text: string, field: string): number {
  const value = Number(text);
  if (INTEGER_PATTERN.test(text) && Number.isSafeInteger(value)) return value;
  throw invalidInput(`${field} must be a whole number such as 5, not ${JSON.stringify(text)}.`);
}

export function parseNumber(text: string, field: string): number {
  const value = Number(text);
  if (NUMBER_PATTERN.test(text) && Number.isFinite(value)) return value;
  throw invalidInput(`${field} must be a number such as 0.5, not ${JSON.stringify(text)}.`);
}

export function parseBoolean(text: string, field: string): boolean {
  if (text === "true") return true;
  if (text === "false") return false;
  throw invalidInput(`${field} must be true or false, not ${JSON.stringify(text)}.`);
}

/**
 * Parses comma-separated text or an array of strings. Trims items and skips empty ones. Throws
 * invalid_input naming `field`.
 */
export function parseList(value: unknown, field: string): string[] {
  const items = typeof value === "string" ? (parseJsonArray(value) ?? value.split(",")) : value;
  if (!Array.isArray(items)) {
    throw invalidInput(`${field} must be a comma-separated string or an array of strings.`);
  }
  return items
    .map((item: unknown, index) => readItem(item, `${field}[${index}]`))
    .filter((item) => item !== "");
}

/** Clients also send lists as JSON text. Undefined for other text. */
function parseJsonArray(text: string): unknown[] | undefined {
  const value = /^\s*\[/.test(text) ? tryParseJson(text) : undefined;
  return Array.isArray(value) ? value : undefined;
}

function readItem(item: unknown, name: string): string {
  if (typeof item !== "string") throw invalidInput(`${name} must be a string, not ${typeof item}.`);
  return item.trim();
}
