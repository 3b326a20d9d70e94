const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The text, shortened to at most `most` characters (code points) including the ellipsis. It never cuts within
 * what a reader sees as one character, such as an emoji of several code points or an accented letter.
 */
export function shorten(text: string, most: number): string {
  return isLonger(text, most) ? `${beginningOf(text, most - 1)}…` : text;
}

/** Puts the text on one line, then shortens it as `shorten` does. */
export function shortLine(text: string, most: number): string {
  return shorten(text.replace(/\s+/g, " ").trim(), most);
}

/** Shortens a line of a file for a model and tells the model that it was cut. */
export function cutLine(line: string, most: number): string {
  return isLonger(line, most) ? `${beginningOf(line, most)}[… cut]` : line;
}

/** The first `most` characters of the text at most. No visible character is cut in two. */
export function beginningOf(text: string, most: number): string {
  if (!isLonger(text, most)) return text;
  const beginning = Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join("");
  const { index: boundary = 0 } =
    segmenter
      .segment(text.slice(0, beginning.length + LONGEST_SIGN))
      .containing(beginning.length) ?? {};
  // A visible character longer than `most` has to be cut after all.
  return boundary === 0 ? beginning : text.slice(0, boundary);
}

/** How many code units after a position can still belong to the visible character before it. */
const LONGEST_SIGN = 64;

/** A character has at most two code units, so a short text needs no counting. */
function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || Array.from(text).length > most;
}
