import { matchesPart } from "../../language/index.ts";

/** Returns true if the text changes an earlier statement. */
export function isAmending(text: string): boolean {
  return matchesPart("amendments", text);
}
