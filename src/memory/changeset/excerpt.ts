import { isNestedDeeper } from "../../shared/json.ts";
import { shorten as shortenTo } from "../../shared/text.ts";

const LONGEST = 60;

/** What was written, cut so that a message stays a sentence. */
export function shorten(text: string): string {
  return shortenTo(text, LONGEST);
}

/** Like `shorten`, as JSON. */
export function excerpt(value: unknown): string {
  // What turns a value into text recurses, and the stack has an end.
  if (isNestedDeeper(value))
    return Array.isArray(value) ? "a list of lists" : "an object of objects";
  return shorten(JSON.stringify(value) ?? String(value));
}
