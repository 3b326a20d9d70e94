import { invalidInput } from "./errors.ts";
import type { FieldKind } from "./field-kind.ts";
import { parseList } from "./lists.ts";
import { JsonSyntaxError, parseJson } from "./parse-json.ts";
import { parseBoolean, parseInteger, parseNumber } from "./strict-scalars.ts";

type Parse = (text: string, name: string) => unknown;

/** The one table that parses flags, query strings, compact changesets and variables. */
const PARSERS: Readonly<Record<FieldKind, Parse>> = {
  text: (text) => text,
  integer: parseInteger,
  number: parseNumber,
  boolean: parseBoolean,
  list: parseList,
  textList: (text) => text,
  json: parseStructure,
};

/**
 * The value that a text stands for. `name` is what the person typed and appears in the message. Throws
 * invalid_input.
 */
export function parseField(kind: FieldKind, text: string, name: string): unknown {
  return PARSERS[kind](text, name);
}

/** Empty text is kept, because it clears a field. */
function parseStructure(text: string, name: string): unknown {
  if (text.trim() === "") return "";
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidInput(`${name} must be JSON: ${error.message}.`);
  }
}
