import { drawChanges, drawHistory, type ShownChange } from "../render/draw-changes.ts";
import { alignColumns, wrapText } from "../render/lay-out.ts";
import { renderOutput } from "../render/render-output.ts";
import { toInline } from "../render/show-value.ts";
import type { Style } from "../render/style.ts";
import type { Shown } from "./load-shown.ts";

interface TimelineFact {
  readonly id: string;
  readonly statement: string;
  readonly status: "active" | "superseded";
  readonly valid_from: string;
  readonly valid_to: string | null;
}

const BAR_WIDTH = 24;
const MAX_STATEMENT_CHARACTERS = 200;

/**
 * Draws when each fact was active on one time scale, oldest first: `━` while active, `▶` if it
 * still is.
 */
function drawTimeline(facts: readonly TimelineFact[], style: Style): string[] {
  const { colors, now } = style;
  const sorted = [...facts].sort((a, b) => (a.valid_from < b.valid_from ? -1 : 1));
  const from = Math.min(...sorted.map((fact) => Date.parse(fact.valid_from)));
  const to = Math.max(now.getTime(), ...sorted.map((fact) => endTimeMs(fact, now)));
  const toColumn = (time: number) =>
    to === from ? 0 : ((time - from) / (to - from)) * (BAR_WIDTH - 1);
  const rows = sorted.map((fact) => {
    const isActive = fact.status === "active";
    const begin = Math.round(toColumn(Date.parse(fact.valid_from)));
    const end = Math.max(begin, Math.round(toColumn(endTimeMs(fact, now))));
    const bar = `${"━".repeat(end - begin)}${isActive ? "▶" : "┥"}`;
    const row = `${" ".repeat(begin)}${bar}`.padEnd(BAR_WIDTH);
    const until = fact.valid_to === null ? "now" : fact.valid_to.slice(0, 10);
    return [
      colors.bold(colors.cyan(toInline(fact.id))),
      `${fact.valid_from.slice(0, 10)} to ${until}`,
      isActive ? colors.green(row) : colors.dim(row),
      wrapText(toInline(fact.statement), MAX_STATEMENT_CHARACTERS)[0] ?? "",
    ];
  });
  return alignColumns(rows, style.columns);
}

function endTimeMs({ valid_to: to }: TimelineFact, now: Date): number {
  return to === null ? now.getTime() : Date.parse(to);
}

/** Shows an item with its neighbors, fact timeline and history. */
export function drawShown({ item, history, facts }: Shown, style: Style): string[] {
  const { bold } = style.colors;
  const { change, ...others } = item;
  const blocks = [
    ...Object.values(others).map((part) => renderOutput(part, style)),
    ...(change === undefined ? [] : [drawChanges({ changes: [change as ShownChange] }, style)]),
    ...(facts === undefined ? [] : [[bold("Timeline"), ...drawTimeline(facts, style)]]),
    ...(history === undefined
      ? []
      : [[bold("History"), ...drawHistory(history, { style, patch: false })]]),
  ];
  return blocks.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}
