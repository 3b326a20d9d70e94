import { invalidInput } from "./errors.ts";

/**
 * A list as it is given on any surface: text separated by commas, or an array of strings. Items
 * are trimmed, empty ones skipped. Throws invalid_input that names `field`.
 */
export function parseList(value: unknown, field: string): string[] {
  const items = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(items)) {
    throw invalidInput(`${field} must be a comma-separated text or an array of texts.`);
  }
  return items
    .map((item: unknown, index) => readItem(item, `${field}[${index}]`))
    .filter((item) => item !== "");
}

function readItem(item: unknown, name: string): string {
  if (typeof item !== "string") throw invalidInput(`${name} must be text, not ${typeof item}.`);
  return item.trim();
}
