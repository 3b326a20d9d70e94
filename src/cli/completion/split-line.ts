/** The part of a line before the cursor. */
export interface SplitLine {
  /** Complete words without quotes, and without the program's name. */
  readonly words: readonly string[];
  /** The word being written; empty after a blank. */
  readonly current: string;
}

/** Words as a shell splits them, as far as completion has to know: blanks, quotes and backslashes. */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  let current = "";
  let quote = "";
  let isBegun = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
      else current += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      isBegun = true;
    } else if (character === "\\") {
      at += 1;
      current += line[at] ?? "";
    } else if (/\s/.test(character)) {
      if (current !== "" || isBegun) words.push(current);
      current = "";
      isBegun = false;
    } else current += character;
  }
  return { words: words.slice(1), current };
}
