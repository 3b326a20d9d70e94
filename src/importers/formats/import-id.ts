import { createHash } from "node:crypto";

/**
 * An id for what has none in its source: its place and its text. The same text at the same place
 * is the same record; changed text is a new one.
 */
export function idOfText(place: string, text: string): string {
  const hash = createHash("sha256").update(`${place}\n${text}`).digest("hex");
  return `${place}#${hash.slice(0, 12)}`;
}
