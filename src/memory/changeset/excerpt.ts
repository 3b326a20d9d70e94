const LONGEST = 60;

/** What was written, cut so that a message stays a sentence. */
export function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** Like `shorten`, as JSON. */
export function excerpt(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value));
}
