import { invalidInput, messageOf } from "../../kernel/errors.ts";
import { parseList } from "../../kernel/lists.ts";
import { parseBoolean, parseInteger, parseNumber } from "../../kernel/strict-scalars.ts";
import type { ArgumentType } from "./changeset-form.ts";

/** The text of a compact argument as the field's type. Throws invalid_input that names `key`. */
export function convertArgument(text: string, type: ArgumentType, key: string): unknown {
  switch (type) {
    case "string":
      return text;
    case "number":
      return parseNumber(text, key);
    case "integer":
      return parseInteger(text, key);
    case "boolean":
      return parseBoolean(text, key);
    case "list":
      return parseList(text, key);
    case "json":
      return parseJsonArgument(text, key);
  }
}

/** Empty text stays: it is how a field is cleared. */
function parseJsonArgument(text: string, key: string): unknown {
  if (text.trim() === "") return "";
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput(`${key} must be JSON, in single quotes: ${messageOf(error)}.`);
  }
}
