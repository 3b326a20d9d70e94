import type { MemoryItem } from "./merge-item.ts";

/** A line that Markdown joins with its neighbours: no list, quotation, table, heading, code or blank. */
const PROSE = /^(?!\d+[.)]\s)[\p{L}\p{N}"'“„«(*_`[]/u;
const FENCE = /^\s*(?:```|~~~)/;
const SENTENCE_END = /(?<=[.!?]["')\]]?) (?=\S)/;

/**
 * A text with each sentence on a line of its own, so that git merges changes of two sentences. Line
 * breaks of the text itself within a paragraph are written as Markdown has them, with a backslash.
 */
function toProseLines(content: string): string[] {
  const lines = content.split("\n");
  const isCode = inFences(lines);
  return lines.flatMap((line, index) => {
    if (isCode[index] || !PROSE.test(line)) return [line];
    const next = lines[index + 1];
    const breaks = next !== undefined && !isCode[index + 1] && PROSE.test(next);
    const pieces = sentences(line);
    return pieces.map((piece, at) => (breaks && at === pieces.length - 1 ? `${piece}\\` : piece));
  });
}

function fromProseLines(lines: readonly string[]): string {
  const isCode = inFences(lines);
  const isProse = lines.map((line, index) => !isCode[index] && PROSE.test(line));
  let text = "";
  for (const [index, line] of lines.entries()) {
    const joins = isProse[index] === true && isProse[index + 1] === true;
    if (index === lines.length - 1) text += line;
    else if (!joins) text += `${line}\n`;
    else text += line.endsWith("\\") ? `${line.slice(0, -1)}\n` : `${line.trimEnd()} `;
  }
  return text;
}

function sentences(line: string): string[] {
  const pieces: string[] = [];
  for (const piece of line.split(SENTENCE_END)) {
    const last = pieces.length - 1;
    if (last >= 0 && !PROSE.test(piece)) pieces[last] += ` ${piece}`;
    else pieces.push(piece);
  }
  return pieces;
}

/** True if each line is of a code block, its fences included. */
function inFences(lines: readonly string[]): boolean[] {
  let isInside = false;
  return lines.map((line) => {
    const isFence = FENCE.test(line);
    const isCode = isInside || isFence;
    if (isFence) isInside = !isInside;
    return isCode;
  });
}

/** A line that begins an item, or would with fewer backslashes. */
const HEADING = /^\\*## /;
export const AS_IT_IS = "text";

/** A file of the memory: what stands before the first item, and the items in order. */
export function writeText(preamble: string, items: readonly MemoryItem[]): string {
  const head = preamble.trim() === "" ? [] : [preamble.trimEnd()];
  return `${[...head, ...items.map(writeItem)].join("\n\n")}\n`;
}

/** One item, without a line break at its end. */
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

/** A value of one line; what is not, or would be trimmed, as JSON. */
function writeValue(value: string): string {
  const isPlain =
    value !== "" && value.trim() === value && !/^"|[\u0000-\u001f\u2028\u2029]/.test(value);
  return isPlain ? value : JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, escaped);
}

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16)}`;

/** What `readContent` reads back, letter for letter. */
function writeContent(content: string): string {
  const lines = toProseLines(content);
  const isExact = content.trim() === content && fromProseLines(lines) === content;
  const body = isExact && !isFenced(lines) ? lines : fenced(content);
  return body.map((line) => (HEADING.test(line) ? `\\${line}` : line)).join("\n");
}

/** The content in the lines below the attributes. */
export function readContent(lines: readonly string[]): string {
  const body = lines.map((line) => (HEADING.test(line) ? line.replace("\\", "") : line));
  if (isFenced(body)) return body.slice(1, -1).join("\n");
  return fromProseLines(body).trim();
}

function fenced(content: string): string[] {
  const longest = Math.max(3, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${AS_IT_IS}`, ...content.split("\n"), fence];
}

/** True if all of it is one block that was written as it is: its fence has four ticks or more. */
function isFenced(lines: readonly string[]): boolean {
  const fence = /^(`{4,})text$/.exec(lines[0] ?? "")?.[1];
  return fence !== undefined && lines.length > 2 && lines.indexOf(fence) === lines.length - 1;
}
