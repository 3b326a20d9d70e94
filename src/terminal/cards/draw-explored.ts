import { countReadOnlyCalls, describeReads } from "../state/group-reads.ts";
import type { ExploredItem, FinishedTool } from "../state/screen.ts";
import type { Line, Span, Style } from "../text/style.ts";
import { truncateLine } from "../text/wrap.ts";
import { drawToolCard } from "./draw-tool-card.ts";

const GRAY_STYLE: Style = { color: "gray" };

/** Draws `● Explored: 4 files, 2 searches` with details; expanded, each call with its result. */
export function drawExplored(item: ExploredItem, width: number): readonly Line[] {
  const { tools, contextLabel, unfolded } = item;
  const head: Line = [
    { text: "● ", style: { color: "green" } },
    ...drawLabel(contextLabel),
    { text: "Explored", style: { bold: true } },
    { text: `: ${countReadOnlyCalls(tools)}` },
    { text: unfolded ? "" : " · Ctrl-O shows them", style: GRAY_STYLE },
  ];
  if (unfolded) {
    const cards = tools.flatMap((tool) => drawToolCard({ ...tool, unfolded: true }, width));
    return [truncateLine(head, width), ...cards];
  }
  return [head, [{ text: `  ${describeReads(tools)}`, style: GRAY_STYLE } satisfies Span]].map(
    (line) => truncateLine(line, width),
  );
}

export function drawExploring(reads: readonly FinishedTool[], width: number): readonly Line[] {
  if (reads.length === 0) return [];
  const head: Line = [
    { text: "○ ", style: { color: "yellow" } },
    { text: "Exploring", style: { bold: true } },
    { text: `: ${countReadOnlyCalls(reads)}` },
    { text: ` · ${describeReads(reads.slice(-2))}`, style: GRAY_STYLE },
  ];
  return [truncateLine(head, width)];
}

function drawLabel(contextLabel: string | undefined): Line {
  return contextLabel === undefined
    ? []
    : [{ text: `${contextLabel} `, style: { color: "magenta" } }];
}
