import { invalidInput } from "./errors.ts";

/**
 * A list as it is given on any surface: text separated by commas, or an array of strings. Items
 * are trimmed. Empty items between commas are skipped; an empty item of an array is an error.
 * Throws invalid_input that names `field`.
 */
export function parseList(value: unknown, field: string): string[] {
  if (typeof value === "string") {
    return value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  }
  if (Array.isArray(value)) return value.map((item, index) => readItem(item, `${field}[${index}]`));
  throw invalidInput(`${field} must be a comma-separated text or an array of texts.`);
}

function readItem(item: unknown, name: string): string {
  if (typeof item !== "string") throw invalidInput(`${name} must be text, not ${typeof item}.`);
  const trimmed = item.trim();
  if (trimmed === "") throw invalidInput(`${name} is empty. Leave the item out.`);
  return trimmed;
}
