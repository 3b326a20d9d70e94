const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The text, or its beginning with an ellipsis where it has more than `most` characters (code
 * points), the ellipsis included. What a reader sees as one character is never cut in two: an emoji
 * of several signs, a letter with its accents.
 */
export function shorten(text: string, most: number): string {
  return isLonger(text, most) ? `${beginningOf(text, most - 1)}…` : text;
}

/** The same of a text that is brought onto one line first. */
export function shortLine(text: string, most: number): string {
  return shorten(text.replace(/\s+/g, " ").trim(), most);
}

/** A line of a file for a model, which is told where it was cut. */
export function cutLine(line: string, most: number): string {
  return isLonger(line, most) ? `${beginningOf(line, most)}[… cut]` : line;
}

/** At most so many characters from the beginning of the text, none of them cut in two. */
export function beginningOf(text: string, most: number): string {
  if (!isLonger(text, most)) return text;
  const beginning = Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join("");
  const { index: boundary = 0 } =
    segmenter
      .segment(text.slice(0, beginning.length + LONGEST_SIGN))
      .containing(beginning.length) ?? {};
  // A sign that is longer than all that is wanted is cut after all.
  return boundary === 0 ? beginning : text.slice(0, boundary);
}

/** Code units that follow a place and can belong to the sign in front of it. */
const LONGEST_SIGN = 64;

/** A character is at most two code units, so that a short text needs no counting. */
function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}
