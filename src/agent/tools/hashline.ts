import { createHash } from "node:crypto";
import { invalidInput } from "../../kernel/errors.ts";
import { type Line, splitLines } from "./text-file.ts";

/** Hexadecimal digits of a line's hash: with the line number, enough to notice a change. */
const HASH_LENGTH = 4;
/** Lines shown around an anchor that no longer fits. */
const SURROUNDINGS = 3;

export interface HashlineEdit {
  /** First line that is replaced, `LINE:HASH`; `0:` stands for before the first line. */
  readonly start: string;
  /** Last line that is replaced; default `start`. */
  readonly end?: string | undefined;
  /** New lines; empty deletes. */
  readonly content: string;
  /** Adds beside `start` and replaces nothing. */
  readonly insert?: "before" | "after" | undefined;
}

/** Covers the whole text of the line except its end, so that an indentation change counts. */
export function hashOf(line: string): string {
  return createHash("sha256").update(line).digest("hex").slice(0, HASH_LENGTH);
}

/** `LINE:HASH|text`, counted from 1. */
export function hashline(line: string, number: number): string {
  return `${number}:${hashOf(line)}|${line}`;
}

/**
 * Applies the edits, all of them or none. Anchors refer to the text as it was read. New lines get
 * the line end that the file has; a missing last newline stays missing. Throws invalid_input with
 * the current lines when an anchor does not fit.
 */
export function applyHashlineEdits(text: string, edits: readonly HashlineEdit[]): string {
  const lines = splitLines(text);
  const spans = edits.map((edit, index) => spanOf(edit, index, lines));
  const ordered = [...spans].sort((a, b) => a.from - b.from || a.to - b.to || a.index - b.index);
  refuseOverlaps(ordered);
  const end = usualEnd(lines);
  const result: Line[] = [];
  let next = 0;
  for (const span of ordered) {
    result.push(...lines.slice(next, span.from), ...newLines(span.content, end));
    next = span.to;
  }
  result.push(...lines.slice(next));
  return join(result, { end, missingLast: lines.at(-1)?.end === "" });
}

/** Lines `from` up to but without `to` are replaced, counted from 0. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly content: string;
  readonly index: number;
}

function spanOf(edit: HashlineEdit, index: number, lines: readonly Line[]): Span {
  const name = `edits[${index}]`;
  const { content } = edit;
  if (isEmptyAnchor(edit.start) && (edit.insert !== undefined || lines.length === 0)) {
    return { from: 0, to: 0, content, index };
  }
  const start = lineOf(edit.start, { field: `${name}.start`, lines });
  if (edit.insert !== undefined) {
    if (edit.end !== undefined && edit.end !== edit.start) {
      throw invalidInput(`${name}: an insert has no end, it stands beside one line.`);
    }
    const at = edit.insert === "before" ? start : start + 1;
    return { from: at, to: at, content, index };
  }
  const end = edit.end === undefined ? start : lineOf(edit.end, { field: `${name}.end`, lines });
  if (end < start) throw invalidInput(`${name}: the end lies before the start.`);
  return { from: start, to: end + 1, content, index };
}

/** `0:` and the like: before the first line, the only anchor that an empty file has. */
function isEmptyAnchor(anchor: string): boolean {
  return /^\s*0\s*(:.*)?$/.test(anchor);
}

/** Index of the line that an anchor names. */
function lineOf(
  anchor: string,
  { field, lines }: { readonly field: string; readonly lines: readonly Line[] },
): number {
  const match = /^\s*(\d+)\s*:\s*([0-9a-f]+)\s*(?:\|.*)?$/is.exec(anchor);
  if (match === null) {
    throw invalidInput(`${field}: an anchor is LINE:HASH as read shows it, not "${anchor}".`);
  }
  const index = Number(match[1]) - 1;
  const line = lines[index];
  if (line !== undefined && hashOf(line.text) === match[2]?.toLowerCase()) return index;
  throw invalidInput(
    `${field}: line ${match[1]} is not what "${anchor}" says. Nothing was changed. ` +
      `The lines now are:\n${surroundings(lines, index)}`,
  );
}

function surroundings(lines: readonly Line[], index: number): string {
  if (lines.length === 0) return "(the file is empty)";
  const middle = Math.min(Math.max(index, 0), lines.length - 1);
  const first = Math.max(0, middle - SURROUNDINGS);
  return lines
    .slice(first, middle + SURROUNDINGS + 1)
    .map((line, offset) => hashline(line.text, first + offset + 1))
    .join("\n");
}

function refuseOverlaps(ordered: readonly Span[]): void {
  ordered.forEach((span, position) => {
    const before = ordered[position - 1];
    if (before === undefined || before.to <= span.from) return;
    throw invalidInput(
      `edits[${before.index}] and edits[${span.index}] touch the same lines. Nothing was changed: ` +
        "make one edit of them.",
    );
  });
}

/** The line end that most lines have. */
function usualEnd(lines: readonly Line[]): "\n" | "\r\n" {
  const crLf = lines.filter((line) => line.end === "\r\n").length;
  return crLf > 0 && crLf * 2 >= lines.length - 1 ? "\r\n" : "\n";
}

/** The content as lines. One newline at its end is the end of its last line. */
function newLines(content: string, end: "\n" | "\r\n"): readonly Line[] {
  if (content === "") return [];
  const texts = content.split(/\r?\n/);
  if (texts.length > 1 && texts.at(-1) === "") texts.pop();
  return texts.map((text) => ({ text, end }));
}

function join(
  lines: readonly Line[],
  file: { readonly end: "\n" | "\r\n"; readonly missingLast: boolean },
): string {
  return lines
    .map((line, index) => {
      if (index === lines.length - 1)
        return file.missingLast ? line.text : line.text + (line.end || file.end);
      return line.text + (line.end || file.end);
    })
    .join("");
}
