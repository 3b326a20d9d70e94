/** A letter that no text uses, as it is none by Unicode. */
const ESCAPE = "\u{10FFFF}";
const NUL = "\0";

/** PostgreSQL stores every letter but NUL, which SQLite does: it is written as two others. */
export function toStoredText(text: string): string {
  if (!text.includes(NUL) && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll(NUL, `${ESCAPE}0`);
}

export function fromStoredText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replaceAll(`${ESCAPE}0`, NUL).replaceAll(`${ESCAPE}1`, ESCAPE);
}
