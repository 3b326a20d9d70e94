import type { MemoryItem } from "./merge-item.ts";

/** A prose line, which Markdown joins with its neighbors. */
const PROSE_LINE = /^(?!\d+[.)]\s)[\p{L}\p{N}"'“„«(*_`[]/u;
const FENCE_LINE = /^\s*(?:```|~~~)/;
const SENTENCE_END = /(?<=[.!?]["')\]]?) (?=\S)/;

/**
 * Writes one sentence per line so that git can merge separate edits. Original line breaks within a
 * paragraph end in a backslash.
 */
function toProseLines(content: string): string[] {
  const lines = content.split("\n");
  const isCode = markFencedLines(lines);
  return lines.flatMap((line, index) => {
    if (isCode[index] || !PROSE_LINE.test(line)) return [line];
    const next = lines[index + 1];
    const breaks = next !== undefined && !isCode[index + 1] && PROSE_LINE.test(next);
    const pieces = splitSentences(line);
    return pieces.map((piece, at) => (breaks && at === pieces.length - 1 ? `${piece}\\` : piece));
  });
}

function fromProseLines(lines: readonly string[]): string {
  const isCode = markFencedLines(lines);
  const isProse = lines.map((line, index) => !isCode[index] && PROSE_LINE.test(line));
  let text = "";
  for (const [index, line] of lines.entries()) {
    const joins = isProse[index] === true && isProse[index + 1] === true;
    if (index === lines.length - 1) text += line;
    else if (!joins) text += `${line}\n`;
    else text += line.endsWith("\\") ? `${line.slice(0, -1)}\n` : `${line.trimEnd()} `;
  }
  return text;
}

function splitSentences(line: string): string[] {
  const pieces: string[] = [];
  for (const piece of line.split(SENTENCE_END)) {
    const last = pieces.length - 1;
    if (last >= 0 && !PROSE_LINE.test(piece)) pieces[last] += ` ${piece}`;
    else pieces.push(piece);
  }
  return pieces;
}

function markFencedLines(lines: readonly string[]): boolean[] {
  let isInside = false;
  return lines.map((line) => {
    const isFence = FENCE_LINE.test(line);
    const isCode = isInside || isFence;
    if (isFence) isInside = !isInside;
    return isCode;
  });
}

/** An item heading, or an escaped one. */
const HEADING_LINE = /^\\*## /;
export const VERBATIM_FENCE = "text";

export function writeText(preamble: string, items: readonly MemoryItem[]): string {
  const head = preamble.trim() === "" ? [] : [preamble.trimEnd()];
  return `${[...head, ...items.map(writeItem)].join("\n\n")}\n`;
}

export function writeItem(item: MemoryItem): string {
  const attributes = [
    ...(item.by === undefined ? [] : [["by", item.by]]),
    ...(item.at === undefined ? [] : [["at", item.at]]),
    ...(item.ref === undefined ? [] : [["ref", item.ref]]),
    ...item.entities.map((entity) => ["entity", entity]),
    ...item.labels.map((label) => ["label", label]),
    ...item.disputes.map((id) => ["disputes", id]),
  ].map(([name, value = ""]) => `- ${name}: ${writeValue(value)}`);
  const head = [`## ${item.type} ${item.id}`, ...attributes].join("\n");
  return `${head}\n\n${writeContent(item.content)}`;
}

function writeValue(value: string): string {
  const isPlain =
    value !== "" && value.trim() === value && !/^"|[\u0000-\u001f\u2028\u2029]/.test(value);
  return isPlain ? value : JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, toUnicodeEscape);
}

const toUnicodeEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16)}`;

/** Inverse of `readContent`. */
function writeContent(content: string): string {
  const lines = toProseLines(content);
  const isExact = content.trim() === content && fromProseLines(lines) === content;
  const body = isExact && !isFenced(lines) ? lines : formatFenced(content);
  return body.map((line) => (HEADING_LINE.test(line) ? `\\${line}` : line)).join("\n");
}

export function readContent(lines: readonly string[]): string {
  const body = lines.map((line) => (HEADING_LINE.test(line) ? line.replace("\\", "") : line));
  if (isFenced(body)) return body.slice(1, -1).join("\n");
  return fromProseLines(body).trim();
}

function formatFenced(content: string): string[] {
  const longest = Math.max(3, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${VERBATIM_FENCE}`, ...content.split("\n"), fence];
}

/** True for a single verbatim block, fenced by four or more backticks. */
function isFenced(lines: readonly string[]): boolean {
  const fence = /^(`{4,})text$/.exec(lines[0] ?? "")?.[1];
  return fence !== undefined && lines.length > 2 && lines.indexOf(fence) === lines.length - 1;
}
