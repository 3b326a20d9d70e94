import type { Line } from "../text/style.ts";
import { truncateLine, wrapText } from "../text/wrap.ts";
import type { RecallItem, RecallView } from "./recall-view.ts";

const GRAY_STYLE = { color: "gray" } as const;
const MAX_ROWS_PER_ITEM = 6;

export function drawRecall(recall: RecallView, width: number): readonly Line[] {
  const warnings = recall.warnings.flatMap((warning) =>
    wrapText(warning, { width, style: { color: "yellow" } }),
  );
  if (recall.items.length === 0) {
    return [...wrapText(`Nothing remembered about “${recall.query}”.`, { width }), ...warnings];
  }
  const conflicts = recall.openConflicts;
  return [
    ...recall.items.flatMap((item) => drawRecallItem(item, width)),
    ...(conflicts > 0
      ? wrapText(`${conflicts} open conflict${conflicts > 1 ? "s" : ""}: /conflicts`, {
          width,
          style: { color: "yellow" },
        })
      : []),
    ...(recall.partial
      ? wrapText("The search was incomplete: there may be more results.", {
          width,
          style: { color: "yellow" },
        })
      : []),
    ...warnings,
  ];
}

function drawRecallItem(item: RecallItem, width: number): readonly Line[] {
  const about = [item.type, item.id, item.age, item.provenance].filter(
    (part) => part !== undefined && part !== "",
  );
  const head: Line = [
    { text: `${drawScoreBar(item.score)} ${item.score.toFixed(2)} `, style: { color: "cyan" } },
    { text: about.join(" · "), style: GRAY_STYLE },
  ];
  const inner = Math.max(8, width);
  const text = wrapText(item.text, { width: inner, first: [{ text: "  " }] });
  const facts = item.facts.flatMap((fact) =>
    wrapText(fact.note === "" ? fact.text : `${fact.text} (${fact.note})`, {
      width: inner,
      first: [{ text: "  - ", style: GRAY_STYLE }],
    }),
  );
  const rows = [...text, ...facts];
  const more: Line[] =
    rows.length > MAX_ROWS_PER_ITEM
      ? [[{ text: `  … ${rows.length - MAX_ROWS_PER_ITEM} more rows`, style: GRAY_STYLE }]]
      : [];
  return [truncateLine(head, width), ...rows.slice(0, MAX_ROWS_PER_ITEM), ...more];
}

/** Five cells, for quick comparison. */
function drawScoreBar(score: number): string {
  const filled = Math.max(0, Math.min(5, Math.round(score * 5)));
  return "▮".repeat(filled) + "▯".repeat(5 - filled);
}
