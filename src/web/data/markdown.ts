/** A styled piece of a line. URLs stay plain text, so stored text contains no links. */
export interface Mark {
  readonly kind: "text" | "code" | "strong" | "emphasis";
  readonly text: string;
}

export type Block =
  | { readonly kind: "paragraph" | "code" | "quote"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string; readonly level: number }
  | { readonly kind: "list"; readonly items: readonly string[] };

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

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const BULLET = /^\s{0,3}[-*+]\s+(.+)$/;
const QUOTE = /^>\s?(.*)$/;
const FENCE = /^(`{3,}|~{3,})/;

/** Splits a text into Markdown blocks; anything else becomes a paragraph with its line breaks. */
export function getBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    const [block, next] = blockAt(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number): [Block | undefined, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [undefined, at + 1];
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) {
    const close = lines.findIndex((one, index) => index > at && one.startsWith(fence));
    const end = close < 0 ? lines.length : close;
    return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
  }
  const heading = HEADING.exec(line);
  if (heading !== null) {
    return [{ kind: "heading", text: heading[2] ?? "", level: heading[1]?.length ?? 1 }, at + 1];
  }
  const items = matching(lines, at, BULLET);
  if (items.length > 0) return [{ kind: "list", items }, at + items.length];
  const quoted = matching(lines, at, QUOTE);
  if (quoted.length > 0) {
    return [{ kind: "quote", text: quoted.join("\n") }, at + quoted.length];
  }
  const end = lines.findIndex((one, index) => index > at && isNoParagraph(one));
  const until = end < 0 ? lines.length : end;
  return [{ kind: "paragraph", text: lines.slice(at, until).join("\n") }, until];
}

function matching(lines: readonly string[], at: number, form: RegExp): string[] {
  const found: string[] = [];
  for (let index = at; index < lines.length; index += 1) {
    const [, text] = form.exec(lines[index] ?? "") ?? [];
    if (text === undefined) break;
    found.push(text);
  }
  return found;
}

function isNoParagraph(line: string): boolean {
  return line.trim() === "" || [HEADING, BULLET, QUOTE, FENCE].some((form) => form.test(line));
}
