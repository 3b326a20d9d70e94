/** A character that no text uses, because it is not assigned in Unicode. */
const ESCAPE = "\u{10FFFF}";
const NUL = "\0";

/** Escapes NUL, the one character that SQLite stores and PostgreSQL does not, as two others. */
export function toStoredText(text: string): string {
  if (!text.includes(NUL) && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll(NUL, `${ESCAPE}0`);
}

export function fromStoredText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replaceAll(`${ESCAPE}0`, NUL).replaceAll(`${ESCAPE}1`, ESCAPE);
}
