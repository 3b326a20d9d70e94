import { showControl } from "../../../shared/text.ts";

const LONGEST = 300;

/** A text of memory within a question: on one line, and shortened. */
export function shownText(text: string): string {
  const line = showControl(text.replaceAll(/\s+/g, " ").trim());
  return `“${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}”`;
}
