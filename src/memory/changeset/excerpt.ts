import { isNestedDeeper } from "../../shared/json.ts";
import { shorten as shortenTo } from "../../shared/text.ts";

const MAX_CHARACTERS = 60;

export function shorten(text: string): string {
  return shortenTo(text, MAX_CHARACTERS);
}

export function excerpt(value: unknown): string {
  if (isNestedDeeper(value))
    return Array.isArray(value) ? "a list of lists" : "an object of objects";
  return shorten(JSON.stringify(value) ?? String(value));
}
