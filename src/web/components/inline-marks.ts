/** A styled piece of a line. URLs stay plain text, so stored text contains no links. */
export interface Mark {
  readonly kind: "text" | "code" | "strong" | "emphasis";
  readonly text: string;
}

/**
 * Matches marks only at word boundaries, so that path patterns, 2 * 3 * 4 and snake_case_names
 * stay as written.
 */
const MARKS =
  /(?<![`\\])(`+)(?!`)(?<code>[^\n]*?[^`\n])\1(?!`)|(?<![\p{L}\p{N}*/\\])\*\*(?<strong>[\p{L}\p{N}"'(`](?:[^*\n]*[^\s*/])?)\*\*(?![\p{L}\p{N}*/])|(?<![\p{L}\p{N}*/\\])\*(?<star>[\p{L}\p{N}"'(](?:[^*\n]*[^\s*/])?)\*(?![\p{L}\p{N}*/])|(?<![\p{L}\p{N}_/\\])_(?<line>[\p{L}\p{N}"'(](?:[^_\n]*[^\s_/])?)_(?![\p{L}\p{N}_/])/gu;

/** Splits a line into styled pieces. */
export function getMarks(text: string): Mark[] {
  const marks: Mark[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > end) marks.push({ kind: "text", text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    const { code, strong, star, line } = match.groups ?? {};
    if (code !== undefined) marks.push({ kind: "code", text: code.trim() || code });
    else if (strong !== undefined) marks.push({ kind: "strong", text: strong });
    else marks.push({ kind: "emphasis", text: star ?? line ?? "" });
  }
  if (end < text.length || marks.length === 0) marks.push({ kind: "text", text: text.slice(end) });
  return marks;
}
