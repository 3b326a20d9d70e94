import { countChanges } from "../../shared/text.ts";
import type { FinishedTool } from "../state/screen.ts";
import type { Line, Style } from "../text/style.ts";
import { truncateLine, wrapText } from "../text/wrap.ts";
import { drawDiff } from "./draw-diff.ts";

const GRAY: Style = { color: "gray" };

/** Rows of a folded card below its title. */
const FOLDED_DIFF_ROWS = 14;
const FOLDED_TEXT_ROWS = 4;
const FOLDED_OUTPUT_ROWS = 5;

/** A finished call: a title, and below it what it changed or answered, folded to a few rows. */
export function drawToolCard(tool: FinishedTool, width: number): readonly Line[] {
  const inner = Math.max(8, width - 2);
  const body = [...drawOutput(tool, inner), ...drawSummary(tool, inner)];
  const rows = [titleOf(tool), ...body.map((line) => [{ text: "  " }, ...line])];
  return rows.map((line) => truncateLine(line, width));
}

/** True if Ctrl-O has more to show. */
export function isFolded(tool: FinishedTool): boolean {
  if (tool.unfolded) return false;
  const text = tool.diff ?? tool.output;
  return text === undefined ? tool.summary.length > 160 : text.trim() !== tool.summary.trim();
}

/** The diff from its beginning; the output of a command from its end, where the outcome is. */
function drawOutput(tool: FinishedTool, width: number): readonly Line[] {
  if (tool.isShownAbove === true && !tool.unfolded) return [];
  if (tool.diff !== undefined && tool.diff !== "") {
    return fold(drawDiff(tool.diff, width), { tool, rows: FOLDED_DIFF_ROWS });
  }
  const isShown = tool.unfolded || OUTPUT_SHOWN.has(tool.name);
  if (tool.output === undefined || !isShown) return [];
  const lines = wrapText(withoutSummary(tool.output, tool.summary), { width, style: GRAY });
  return fold(lines, { tool, rows: FOLDED_OUTPUT_ROWS, keepsEnd: true });
}

const OUTPUT_SHOWN: ReadonlySet<string> = new Set(["shell", "shell_status", "subagent"]);

function drawSummary(tool: FinishedTool, width: number): readonly Line[] {
  if (tool.diff !== undefined && !tool.isError) return [];
  const said = tool.name === "shell" ? /^\$ [\s\S]*: / : undefined;
  const start = said?.exec(tool.summary)?.[0] ?? `${tool.about}: `;
  const isSaid = tool.summary.startsWith(start);
  const text = (isSaid ? tool.summary.slice(start.length) : tool.summary).trim();
  if (text === "") return [];
  const style: Style = { color: tool.isError ? "red" : "gray" };
  return fold(wrapText(text, { width, style }), { tool, rows: FOLDED_TEXT_ROWS });
}

/** The last line of a command's output repeats its summary. */
function withoutSummary(output: string, summary: string): string {
  const end = output.lastIndexOf("\n");
  const last = output.slice(end + 1).trim();
  return end > 0 && last !== "" && summary.endsWith(last) ? output.slice(0, end).trimEnd() : output;
}

function fold(
  lines: readonly Line[],
  options: { readonly tool: FinishedTool; readonly rows: number; readonly keepsEnd?: boolean },
): readonly Line[] {
  const { tool, rows, keepsEnd } = options;
  // Folding away a single row would save nothing.
  if (tool.unfolded || lines.length <= rows + 1) return lines;
  const hidden = lines.length - rows;
  const more: Line = [{ text: `… ${hidden} more rows, Ctrl-O shows them`, style: GRAY }];
  return keepsEnd === true ? [more, ...lines.slice(-rows)] : [...lines.slice(0, rows), more];
}

function titleOf(tool: FinishedTool): Line {
  const mark: Line = tool.isError
    ? [{ text: "✗ ", style: { color: "red" } }]
    : [{ text: "● ", style: { color: "green" } }];
  const label = tool.contextLabel === undefined ? "" : `${tool.contextLabel} `;
  const changes = tool.diff === undefined ? undefined : countChanges(tool.diff);
  return [
    ...mark,
    { text: label, style: { color: "magenta" } },
    { text: tool.name, style: { bold: true } },
    { text: tool.about === "" ? "" : ` ${tool.about}` },
    ...(changes === undefined
      ? []
      : [{ text: ` +${changes.added} -${changes.removed}`, style: { color: "gray" } as const }]),
  ];
}
