import { stripControl } from "../../../shared/text.ts";
import type { ShownConflict, ShownRecall } from "../record-types.ts";
import type { BlockShape } from "../shape.ts";
import { hasValue, showNumber, toInline } from "../show-value.ts";
import type { Style } from "../style.ts";
import { concept, conflict, episode, showDetails } from "./details.ts";

export const recalled: BlockShape<ShownRecall> = {
  fits: (record) =>
    hasValue<ShownRecall>(record, "concepts", "episodes", "open_conflicts", "formatted"),
  block: (record, style) => {
    const items = [
      ...record.concepts.map((item) => ({ score: item.score, lines: concept.block(item, style) })),
      ...record.episodes.map((item) => ({ score: item.score, lines: episode.block(item, style) })),
    ];
    const warnings = showWarnings(record.warnings ?? [], style);
    if (items.length === 0) return [stripControl(record.formatted).trimEnd(), ...warnings.flat()];
    items.sort((a, b) => b.score - a.score);
    const blocks = [
      ...items.map(({ lines }) => lines),
      ...showConflicts(record.open_conflicts, style),
      ...showInterpretation(record.explain, style),
      ...(record.partial ? [[style.colors.dim(PARTIAL_RESULT_NOTE)]] : []),
      ...warnings,
    ];
    return blocks.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
  },
};

const PARTIAL_RESULT_NOTE =
  "Partial result: some items are not indexed yet. Run the query again later.";

function showConflicts(conflicts: readonly ShownConflict[], style: Style): string[][] {
  if (conflicts.length === 0) return [];
  const title = style.colors.bold(style.colors.red(`OPEN CONFLICTS (${conflicts.length})`));
  return [[title], ...conflicts.map((item) => conflict.block(item, style))];
}

/** Warns of layers missing from the results. */
function showWarnings(warnings: NonNullable<ShownRecall["warnings"]>, style: Style): string[][] {
  return warnings.map(({ message }) => [style.colors.yellow(toInline(message))]);
}

/** With `--explain`: shows how the query was interpreted. */
function showInterpretation(explain: ShownRecall["explain"], style: Style): string[][] {
  if (explain === undefined) return [];
  const pairs = Object.entries(explain).map(([name, value]): [string, string] => [
    name.replaceAll("_", " "),
    typeof value === "number" ? showNumber(value) : toInline([value].flat().join(", ")),
  ]);
  return [["The query", ...showDetails(pairs, style)]];
}
