import { drawChanges, drawHistory, type ShownChange } from "../render/draw-changes.ts";
import { drawTimeline } from "../render/draw-timeline.ts";
import { renderOutput } from "../render/render-output.ts";
import type { Style } from "../render/style.ts";
import type { Shown } from "./load-shown.ts";

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
