import { invalidInput } from "../kernel/errors.ts";
import { JsonSyntaxError, parseJson } from "../kernel/parse-json.ts";
import type { SettingDefinition } from "./setting-definitions.ts";

/**
 * The value that a flag's or variable's text stands for. `name` is what the person typed, for the
 * message. Throws invalid_input.
 */
export function parseSettingText(definition: SettingDefinition, text: string, name: string) {
  switch (definition.kind) {
    case "text":
      return text;
    case "list":
      return text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    case "boolean":
      return parseBoolean(text, name);
    case "integer":
      if (!/^-?\d+$/.test(text)) throw invalidInput(`${name} is a whole number, not "${text}".`);
      return Number(text);
    case "number":
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw invalidInput(`${name} is a number, not "${text}".`);
      return Number(text);
    case "json":
      return parseStructure(text, name);
  }
}

function parseBoolean(text: string, name: string): boolean {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw invalidInput(`${name} is "true" or "false", not "${text}".`);
}

function parseStructure(text: string, name: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidInput(`${name} is given as JSON, as in the config file. ${error.message}.`);
  }
}
