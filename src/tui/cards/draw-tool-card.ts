import type { FinishedTool } from "../state/screen.ts";
import type { Line } from "../text/style.ts";
import { truncateLine, wrapText } from "../text/wrap.ts";
import { countChanges, drawDiff } from "./draw-diff.ts";

/** Rows of a folded card below its title. */
const FOLDED_DIFF_ROWS = 14;
const FOLDED_TEXT_ROWS = 4;

/** A finished call: a title, and below it the beginning of the diff or the result. */
export function drawToolCard(tool: FinishedTool, width: number): readonly Line[] {
  const title = truncateLine(titleOf(tool), width);
  const inner = Math.max(8, width - 2);
  const body = bodyOf(tool, inner);
  const limit = tool.unfolded
    ? body.length
    : tool.diff === undefined
      ? FOLDED_TEXT_ROWS
      : FOLDED_DIFF_ROWS;
  // Folding away a single row would save nothing.
  const shown = body.length <= limit + 1 ? body : body.slice(0, limit);
  const rest = body.length - shown.length;
  const more: Line[] = rest > 0 ? [moreLine(rest)] : [];
  return [title, ...[...shown, ...more].map((line) => [{ text: "  " }, ...line])].map((line) =>
    truncateLine(line, width),
  );
}

export function isFolded(tool: FinishedTool, width: number): boolean {
  if (tool.unfolded) return false;
  return drawToolCard({ ...tool, unfolded: true }, width).length > drawToolCard(tool, width).length;
}

function moreLine(rows: number): Line {
  return [{ text: `… ${rows} more rows, Ctrl-O shows them`, style: { color: "gray" } }];
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

function bodyOf(tool: FinishedTool, width: number): readonly Line[] {
  if (tool.diff !== undefined && tool.diff !== "") return drawDiff(tool.diff, width);
  const text = tool.summary.replace(/\s+$/, "");
  if (text === "") return [];
  const style = { color: tool.isError ? "red" : "gray" } as const;
  return wrapText(text, { width, style });
}
