import { createHash } from "node:crypto";

/**
 * An id, from place and text, for a record that has none in its source. The same text at the same
 * place is the same record; a changed text is a new one.
 */
export function idOfText(place: string, text: string): string {
  const hash = createHash("sha256").update(`${place}\n${text}`).digest("hex");
  return `${place}#${hash.slice(0, 12)}`;
}
