import { matchesPart } from "../../language/index.ts";

/** True if a text says that it changes something that was valid before. */
export function amends(text: string): boolean {
  return matchesPart("amendments", text);
}
