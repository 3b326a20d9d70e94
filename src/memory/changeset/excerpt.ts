import { shorten as shortenTo } from "../../kernel/shorten.ts";

const LONGEST = 60;

/** What was written, cut so that a message stays a sentence. */
export function shorten(text: string): string {
  return shortenTo(text, LONGEST);
}

/** Like `shorten`, as JSON. */
export function excerpt(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value));
}
