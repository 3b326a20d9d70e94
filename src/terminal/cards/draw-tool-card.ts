import { diffWordsWithSpace } from "diff";
import { countChanges } from "../../shared/text.ts";
import { highlightLine } from "../markdown/highlight-code.ts";
import type { FinishedTool } from "../state/screen.ts";
import type { Background, Color, Line, Span, Style } from "../text/style.ts";
import { truncateLine, wrapSpans, wrapText } from "../text/wrap.ts";

interface MarkedPart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Longer lines are data, as are lines with little in common. */
const MAX_COMPARED_CHARACTERS = 1_000;
const MIN_COMMON_RATIO = 0.3;

/** Highlights changed words; undefined if nearly all differ. */
function markWords(
  before: string,
  after: string,
): { readonly before: readonly MarkedPart[]; readonly after: readonly MarkedPart[] } | undefined {
  if (before.length > MAX_COMPARED_CHARACTERS || after.length > MAX_COMPARED_CHARACTERS)
    return undefined;
  const changes = diffWordsWithSpace(before, after);
  const common = changes
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  const longer = Math.max(before.trim().length, after.trim().length);
  if (longer === 0 || common / longer < MIN_COMMON_RATIO) return undefined;
  return {
    before: changes
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isChanged: removed })),
    after: changes
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, isChanged: added })),
  };
}

export function drawDiff(diff: string, width: number): readonly Line[] {
  const gutter = gutterWidth(diff);
  const language = detectLanguage(diff);
  let oldLine = 0;
  let newLine = 0;
  const lines: Line[] = [];
  const texts = diff.replace(/\n$/, "").split("\n");
  const marks = markChangedWords(texts);
  for (const [index, text] of texts.entries()) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text);
    if (hunk !== null) {
      if (newLine > 0) lines.push([{ text: `${" ".repeat(gutter)} ⋯`, style: { color: "gray" } }]);
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      continue;
    }
    if (newLine === 0) continue;
    const sign = text[0] ?? " ";
    const number = sign === "-" ? oldLine : newLine;
    if (sign !== "+" && sign !== "\\") oldLine += 1;
    if (sign !== "-" && sign !== "\\") newLine += 1;
    const spans = drawDiffSpans(text, marks.get(index), language);
    lines.push(...drawDiffLine(spans, { sign, number, gutter, width }));
  }
  return lines;
}

function markChangedWords(texts: readonly string[]): ReadonlyMap<number, readonly MarkedPart[]> {
  const marks = new Map<number, readonly MarkedPart[]>();
  for (let at = 0; at < texts.length; at += 1) {
    const removed = startNumber(texts, at, "-");
    if (removed === 0) continue;
    const added = startNumber(texts, at + removed, "+");
    for (let row = 0; row < removed && removed === added; row += 1) {
      const [before = "", after = ""] = [texts[at + row], texts[at + removed + row]];
      const marked = markWords(before.slice(1), after.slice(1));
      if (marked === undefined) continue;
      marks.set(at + row, marked.before);
      marks.set(at + removed + row, marked.after);
    }
    at += removed + added - 1;
  }
  return marks;
}

function startNumber(texts: readonly string[], from: number, sign: "+" | "-"): number {
  let count = 0;
  while (texts[from + count]?.startsWith(sign) === true) count += 1;
  return count;
}

function detectLanguage(diff: string): string {
  return /^\+\+\+ .*\.(\w+)\s*$/m.exec(diff)?.[1]?.toLowerCase() ?? "";
}

function drawDiffSpans(
  text: string,
  marked: readonly MarkedPart[] | undefined,
  language: string,
): readonly Span[] {
  const sign = text[0] ?? " ";
  const look = SIGN_STYLES[sign];
  if (look === undefined) return highlightLine(text.slice(1), language);
  const style: Style = { color: look.color, ...(look.row && { background: look.row }) };
  if (marked === undefined || look.word === undefined) return [{ text: text.slice(1), style }];
  const word: Style = { ...style, background: look.word };
  return marked.map((part) => ({ text: part.text, style: part.isChanged ? word : style }));
}

interface SignStyle {
  readonly color: Color;
  readonly row?: Background;
  readonly word?: Background;
}

const SIGN_STYLES: Readonly<Record<string, SignStyle>> = {
  "+": { color: "green", row: "added", word: "addedWord" },
  "-": { color: "red", row: "removed", word: "removedWord" },
  "\\": { color: "gray" },
};

interface DiffRow {
  readonly sign: string;
  readonly number: number;
  readonly gutter: number;
  readonly width: number;
}

function drawDiffLine(
  spans: readonly Span[],
  { sign, number, gutter, width }: DiffRow,
): readonly Line[] {
  const color = SIGN_STYLES[sign]?.color;
  const label = sign === "\\" ? "" : String(number);
  const first: Line = [
    { text: `${label.padStart(gutter)} `, style: { color: "gray" } },
    { text: `${sign} `, style: color === undefined ? {} : { color } },
  ];
  return wrapSpans(spans, { width, first });
}

function gutterWidth(diff: string): number {
  const highest = Array.from(diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/gm), (hunk) =>
    Math.max(Number(hunk[1]) + Number(hunk[2] ?? 1), Number(hunk[3]) + Number(hunk[4] ?? 1)),
  );
  return String(Math.max(1, ...highest)).length;
}

const GRAY_STYLE: Style = { color: "gray" };

const MAX_FOLDED_DIFF_ROWS = 14;
const MAX_FOLDED_TEXT_ROWS = 4;
const MAX_FOLDED_OUTPUT_ROWS = 5;

export function drawToolCard(tool: FinishedTool, width: number): readonly Line[] {
  const inner = Math.max(8, width - 2);
  const body = [...drawOutput(tool, inner), ...drawSummary(tool, inner)];
  const rows = [drawTitle(tool), ...body.map((line) => [{ text: "  " }, ...line])];
  return rows.map((line) => truncateLine(line, width));
}

export function isFolded(tool: FinishedTool): boolean {
  if (tool.unfolded) return false;
  const text = tool.diff ?? tool.output;
  return text === undefined ? tool.summary.length > 160 : text.trim() !== tool.summary.trim();
}

function drawOutput(tool: FinishedTool, width: number): readonly Line[] {
  if (tool.isShownAbove === true && !tool.unfolded) return [];
  if (tool.diff !== undefined && tool.diff !== "") {
    return foldRows(drawDiff(tool.diff, width), { tool, rows: MAX_FOLDED_DIFF_ROWS });
  }
  const isShown = tool.unfolded || TOOLS_WITH_OUTPUT.has(tool.name);
  if (tool.output === undefined || !isShown) return [];
  const lines = wrapText(removeSummary(tool.output, tool.summary), { width, style: GRAY_STYLE });
  return foldRows(lines, { tool, rows: MAX_FOLDED_OUTPUT_ROWS, keepsEnd: true });
}

const TOOLS_WITH_OUTPUT: ReadonlySet<string> = new Set(["shell", "shell_status", "subagent"]);

function drawSummary(tool: FinishedTool, width: number): readonly Line[] {
  if (tool.diff !== undefined && !tool.isError) return [];
  const prefix = tool.name === "shell" ? /^\$ [\s\S]*: / : undefined;
  const start = prefix?.exec(tool.summary)?.[0] ?? `${tool.about}: `;
  const isStated = tool.summary.startsWith(start);
  const text = (isStated ? tool.summary.slice(start.length) : tool.summary).trim();
  if (text === "") return [];
  const style: Style = { color: tool.isError ? "red" : "gray" };
  return foldRows(wrapText(text, { width, style }), { tool, rows: MAX_FOLDED_TEXT_ROWS });
}

function removeSummary(output: string, summary: string): string {
  const end = output.lastIndexOf("\n");
  const last = output.slice(end + 1).trim();
  return end > 0 && last !== "" && summary.endsWith(last) ? output.slice(0, end).trimEnd() : output;
}

function foldRows(
  lines: readonly Line[],
  options: { readonly tool: FinishedTool; readonly rows: number; readonly keepsEnd?: boolean },
): readonly Line[] {
  const { tool, rows, keepsEnd } = options;
  if (tool.unfolded || lines.length <= rows + 1) return lines;
  const hidden = lines.length - rows;
  const more: Line = [{ text: `… ${hidden} more rows, Ctrl-O shows them`, style: GRAY_STYLE }];
  return keepsEnd === true ? [more, ...lines.slice(-rows)] : [...lines.slice(0, rows), more];
}

function drawTitle(tool: FinishedTool): Line {
  const symbol: Line = tool.isError
    ? [{ text: "✗ ", style: { color: "red" } }]
    : [{ text: "● ", style: { color: "green" } }];
  const label = tool.contextLabel === undefined ? "" : `${tool.contextLabel} `;
  const changes = tool.diff === undefined ? undefined : countChanges(tool.diff);
  return [
    ...symbol,
    { text: label, style: { color: "magenta" } },
    { text: tool.name, style: { bold: true } },
    { text: tool.about === "" ? "" : ` ${tool.about}` },
    ...(changes === undefined
      ? []
      : [{ text: ` +${changes.added} -${changes.removed}`, style: { color: "gray" } as const }]),
  ];
}
