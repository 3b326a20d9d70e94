/** What parts a command line into commands; `2>&1` and `&>` send output, and part nothing. */
const BETWEEN = /&&|\|\||[;|\n]|(?<![>&])&(?![>&])|\$\(|`/;
/** Words before a program that change only how it is run. */
const BEFORE =
  /^(?:\w+=\S*|sudo|time|env|command|exec|nohup|nice|xargs|then|do|if|while|!|\(|\{|timeout|\d+[smh]?)$/;
const MAX_PARTS = 12;
const MAX_CHARS = 4_000;

/** The words of each command that a line runs, its program first. */
export function partsOfLine(line: string): readonly (readonly string[])[] {
  return line
    .slice(0, MAX_CHARS)
    .split(BETWEEN)
    .slice(0, MAX_PARTS)
    .map((part) => fromProgram(part.trim().split(/\s+/).filter(Boolean)))
    .filter((words) => words.length > 0);
}

/** The words from the program on, without those that change only how it is run. */
export function fromProgram(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !BEFORE.test(word));
  return start === -1 ? [] : words.slice(start);
}
