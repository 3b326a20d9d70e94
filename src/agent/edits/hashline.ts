import { invalidInput } from "../../shared/errors.ts";
import { shorten } from "../../shared/text.ts";
import type { EditOutcome } from "./edit-outcome.ts";
import { hashLine, hashline } from "./hash-line.ts";
import {
  commonLineEnd,
  joinLines,
  type Line,
  parseLines,
  splitLines,
  strayAnchor,
  withoutEchoes,
} from "./split-lines.ts";

const CONTEXT_LINES = 3;
const MAX_SHIFT_LINES = 60;

interface Location {
  readonly index: number;
  readonly moved: number;
}

interface AnchorLocation {
  readonly field: string;
  readonly lines: readonly Line[];
}

/**
 * Finds the line of an anchor; a moved line by its hash, if it is unique nearby. Throws
 * invalid_input with the current lines.
 */
function locateAnchor(anchor: string, { field, lines }: AnchorLocation): Location {
  const { number, hash, text } = readAnchor(anchor, { field, lines });
  const index = number - 1;
  const line = lines[index];
  if (
    line !== undefined &&
    (hash === undefined ? line.text === text : hashLine(line.text) === hash)
  ) {
    return { index, moved: 0 };
  }
  const found = hash === undefined ? [] : withHash(lines, { hash, index });
  const [only] = found;
  if (only !== undefined && found.length === 1) return { index: only, moved: only - index };
  const otherLines =
    found.length > 1 ? ` Its text is now on lines ${found.map((at) => at + 1).join(", ")}.` : "";
  throw invalidInput(
    `${field}: line ${number} does not match "${shorten(anchor, 80)}".${otherLines} Nothing was ` +
      `changed. The lines now are:\n${formatContext(lines, index)}`,
  );
}

/** A line such as `}` is not unique enough to be found by its hash. */
function isDistinctive(line: Pick<Line, "text"> | undefined): boolean {
  return (line?.text.match(/[\p{L}\p{N}_]/gu)?.length ?? 0) >= 2;
}

function formatContext(lines: readonly Line[], index: number): string {
  if (lines.length === 0) return "(the file is empty)";
  const middle = Math.min(Math.max(index, 0), lines.length - 1);
  const first = Math.max(0, middle - CONTEXT_LINES);
  return lines
    .slice(first, middle + CONTEXT_LINES + 1)
    .map((line, offset) => hashline(line.text, first + offset + 1))
    .join("\n");
}

interface Anchor {
  readonly number: number;
  /** Undefined if the anchor has the text of the line instead. */
  readonly hash: string | undefined;
  readonly text: string | undefined;
}

function readAnchor(anchor: string, { field, lines }: AnchorLocation): Anchor {
  const hashed = /^\s*(\d+)\s*:\s*([0-9a-f]+)\s*(?:\|(.*))?$/is.exec(anchor);
  if (hashed !== null) {
    return { number: Number(hashed[1]), hash: hashed[2]?.toLowerCase(), text: hashed[3] };
  }
  const numbered = /^\s*(\d+)\|(.+)$/s.exec(anchor);
  if (numbered !== null) return { number: Number(numbered[1]), hash: undefined, text: numbered[2] };
  const number = /^\s*(\d+)/.exec(anchor)?.[1];
  const excerpt =
    number === undefined
      ? ""
      : ` The lines there are:\n${formatContext(lines, Number(number) - 1)}`;
  throw invalidInput(
    `${field}: an anchor is LINE:HASH as read shows it, not "${shorten(anchor, 80)}". Nothing was ` +
      `changed.${excerpt}`,
  );
}

function withHash(
  lines: readonly Line[],
  { hash, index }: { readonly hash: string; readonly index: number },
): readonly number[] {
  const first = Math.max(0, index - MAX_SHIFT_LINES);
  return lines
    .slice(first, Math.max(0, index + MAX_SHIFT_LINES + 1))
    .flatMap(({ text }, offset) => (hashLine(text) === hash ? [first + offset] : []));
}

export interface HashlineEdit {
  /** First replaced line, `LINE:HASH`; `0:` is before the first line. */
  readonly start: string;
  /** Last replaced line; default `start`. */
  readonly end?: string | undefined;
  readonly content: string;
  /** Inserts next to `start` and replaces nothing. */
  readonly insert?: "before" | "after" | undefined;
}

/**
 * Applies all edits or none. Anchors refer to the text as it was read. New lines get the file's
 * line end; a missing last newline stays missing. Notes report corrections, such as moved lines.
 * Throws invalid_input with the current lines if an anchor does not match.
 */
export function applyHashlineEdits(text: string, edits: readonly HashlineEdit[]): EditOutcome {
  const lines = splitLines(text);
  const notes: string[] = [];
  const spans = edits.map((edit, index) => resolveSpan(edit, { index, lines, notes }));
  const ordered = [...spans].sort((a, b) => a.from - b.from || a.to - b.to || a.index - b.index);
  refuseOverlaps(ordered);
  ordered.forEach((span, position) => {
    const previousChange = ordered[position - 1]?.to ?? 0;
    const nextChange = ordered[position + 1]?.from ?? lines.length;
    refuseRepeatedNeighbour(span, { lines, previousChange, nextChange });
  });
  const end = commonLineEnd(lines);
  const result: Line[] = [];
  let next = 0;
  for (const span of ordered) {
    result.push(...lines.slice(next, span.from), ...parseLines(span.content, end));
    next = span.to;
  }
  result.push(...lines.slice(next));
  const after = joinLines(result, { end, missingLast: lines.at(-1)?.end === "" });
  return { text: after, notes: [...new Set(notes)] };
}

interface EditLocation {
  readonly index: number;
  readonly lines: readonly Line[];
  readonly notes: string[];
}

function resolveSpan(edit: HashlineEdit, location: EditLocation): Span {
  const { index, lines } = location;
  if (isEmptyAnchor(edit.start) && (edit.insert !== undefined || lines.length === 0)) {
    const content = stripAnchors(edit, { ...location, first: 1, isInsert: true });
    return { from: 0, to: 0, content, index };
  }
  const { from, to } = resolveRange(edit, location);
  const isInsert = edit.insert !== undefined;
  const first = edit.insert === "after" ? from : from + 1;
  const content = stripAnchors(edit, { ...location, first, isInsert });
  return { from, to, content, index };
}

function resolveRange(
  edit: HashlineEdit,
  location: EditLocation,
): { readonly from: number; readonly to: number } {
  const { index, lines } = location;
  const name = `edits[${index}]`;
  const start = locateAnchor(edit.start, { field: `${name}.start`, lines });
  if (edit.insert !== undefined) {
    if (edit.end !== undefined && edit.end !== edit.start) {
      throw invalidInput(`${name}: an insert has no end; it refers to a single line.`);
    }
    acceptShiftedAnchor([start], edit, location);
    const at = edit.insert === "before" ? start.index : start.index + 1;
    return { from: at, to: at };
  }
  if (edit.end === undefined || edit.end === edit.start) {
    acceptShiftedAnchor([start], edit, location);
    return { from: start.index, to: start.index + 1 };
  }
  const end = locateAnchor(edit.end, { field: `${name}.end`, lines });
  if (end.index < start.index) {
    throw invalidInput(`${name}: the end precedes the start. Nothing was changed.`);
  }
  acceptShiftedAnchor([start, end], edit, location);
  return { from: start.index, to: end.index + 1 };
}

function acceptShiftedAnchor(
  ends: readonly Location[],
  edit: HashlineEdit,
  location: EditLocation,
): void {
  const { index, lines, notes } = location;
  const [first] = ends;
  if (first === undefined || ends.every(({ moved }) => moved === 0)) return;
  const isComplete = ends.every(({ moved }) => moved === first.moved);
  if (!isComplete || !ends.some((end) => isDistinctive(lines[end.index]))) {
    throw invalidInput(
      `edits[${index}]: "${edit.start}"${edit.end === undefined ? "" : ` to "${edit.end}"`} is ` +
        `not where the anchor says. Nothing was changed. The lines now are:\n` +
        ends.map((end) => formatContext(lines, end.index)).join("\n…\n"),
    );
  }
  const by = Math.abs(first.moved);
  notes.push(
    `edits[${index}]: line ${first.index - first.moved + 1} now is line ${first.index + 1} ` +
      `(${by} ${by === 1 ? "line" : "lines"} ${first.moved > 0 ? "down" : "up"}); changed there.`,
  );
}

interface ContentLocation extends EditLocation {
  readonly first: number;
  readonly isInsert: boolean;
}

function stripAnchors(edit: HashlineEdit, location: ContentLocation): string {
  const { index, notes, lines, first, isInsert } = location;
  const field = `edits[${index}].content`;
  const value = edit.content.replace(/\r\n/g, "\n");
  const stripped = withoutEchoes(value, { first, lines });
  if (stripped !== undefined) {
    notes.push(`${field}: its anchors were removed; content must be plain lines.`);
    return stripped;
  }
  refuseDiff(value, field);
  const stray = strayAnchor(value, { first, lines });
  if (stray !== undefined) {
    throw invalidInput(
      `${field} contains a line anchor: "${stray.trim()}". Nothing was changed: send the ` +
        "new lines without LINE:HASH|.",
    );
  }
  const unfenced = isInsert ? undefined : withoutFence(value, lines);
  if (unfenced === undefined) return value;
  notes.push(`${field}: the code fence around it was removed.`);
  return unfenced;
}

/** Removes a code fence that the file does not have. */
function withoutFence(content: string, lines: readonly Line[]): string | undefined {
  const code = /^```[\w+-]*\n([\s\S]*?)\n?```\s*$/.exec(content)?.[1];
  if (code === undefined || code.includes("```")) return undefined;
  return lines.some(({ text }) => text.trimStart().startsWith("```")) ? undefined : code;
}

/** The only anchor of an empty file. */
function isEmptyAnchor(anchor: string): boolean {
  return /^\s*0\s*(:.*)?$/.test(anchor);
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

/** Replaced lines `from` up to but excluding `to`, from 0. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly content: string;
  readonly index: number;
}

interface SlipLocation {
  readonly lines: readonly Line[];
  /** First line that another edit changes; from 0. */
  readonly nextChange: number;
  readonly previousChange: number;
}

/**
 * Refuses content that repeats the line before or after the replaced ones. Lines of brackets count
 * only if the code would be unbalanced.
 */
function refuseRepeatedNeighbour(span: Span, location: SlipLocation): void {
  const { lines, nextChange, previousChange } = location;
  if (span.content === "" || span.to === span.from) return;
  const newLines = span.content.replace(/\n$/, "").split("\n");
  if (newLines.length < 2) return;
  const replaced = lines.slice(span.from, span.to).map(({ text }) => text);
  const after = span.to < nextChange ? lines[span.to]?.text : undefined;
  const before = span.from > previousChange ? lines[span.from - 1]?.text : undefined;
  if (after !== undefined && isRepeated(newLines.at(-1), after, { newLines, replaced })) {
    throw repetitionError(span.index, {
      side: "ends",
      other: "after",
      number: span.to + 1,
      text: after,
    });
  }
  if (before !== undefined && isRepeated(newLines[0], before, { newLines, replaced })) {
    throw repetitionError(span.index, {
      side: "begins",
      other: "before",
      number: span.from,
      text: before,
    });
  }
}

function refuseDiff(content: string, field: string): void {
  const isDiff =
    /^@@ .*@@/m.test(content) && content.split("\n").every((line) => /^([-+@ \\]|$)/.test(line));
  if (!isDiff) return;
  throw invalidInput(
    `${field} is a diff. Nothing was changed: send only the new lines, without @@, + and -.`,
  );
}

interface Change {
  readonly newLines: readonly string[];
  readonly replaced: readonly string[];
}

function isRepeated(edge: string | undefined, neighbour: string, change: Change): boolean {
  if (edge === undefined || edge !== neighbour || edge.trim() === "") return false;
  const { newLines, replaced } = change;
  if (replaced.includes(edge)) return false;
  if (isDistinctive({ text: edge })) return true;
  const extra = balanceBrackets(newLines) - balanceBrackets(replaced);
  return extra !== 0 && extra === balanceBrackets([edge]);
}

function balanceBrackets(lines: readonly string[]): number {
  const text = lines.join("\n");
  return (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
}

interface Repetition {
  readonly side: "begins" | "ends";
  readonly other: "before" | "after";
  readonly number: number;
  readonly text: string;
}

function repetitionError(index: number, { side, other, number, text }: Repetition): Error {
  return invalidInput(
    `edits[${index}].content ${side} with line ${number}, which is directly ${other} the replaced lines ` +
      `and would occur twice: "${text.trim()}". Nothing was changed: omit that line from ` +
      `content or, if you want it twice, let the edit replace line ${number} too.`,
  );
}
