import { stripControl } from "../../../kernel/strip-control.ts";
import type { BlockShape } from "../shape.ts";
import { type Fields, has, inLine, isFields, showNumber } from "../show-value.ts";
import type { Style } from "../style.ts";
import { concept } from "./concept.ts";
import { conflict } from "./conflict.ts";
import { details } from "./details.ts";
import { episode } from "./episode.ts";

/** What `recall` answers, on a terminal: the same items as its text, highest score first. */
export const recalled: BlockShape = {
  fits: (record) => has(record, "concepts", "episodes", "open_conflicts", "formatted"),
  block: (record, style) => {
    const items = [...list(record.concepts), ...list(record.episodes)];
    if (items.length === 0) return [stripControl(String(record.formatted)).trimEnd()];
    items.sort((a, b) => Number(b.score) - Number(a.score));
    const blocks = [
      ...items.map((item) => (concept.fits(item) ? concept : episode).block(item, style)),
      ...showConflicts(list(record.open_conflicts), style),
      ...showUnderstanding(record.explain, style),
      ...(record.partial === true ? [[style.colors.dim(PARTIAL)]] : []),
    ];
    return blocks.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
  },
};

const PARTIAL = "Partial: not everything could be searched by meaning yet; ask again for more.";

function showConflicts(conflicts: readonly Fields[], style: Style): string[][] {
  if (conflicts.length === 0) return [];
  const title = style.colors.bold(style.colors.red(`OPEN CONFLICTS (${conflicts.length})`));
  return [[title], ...conflicts.map((item) => conflict.block(item, style))];
}

/** With `--explain`: how the query was read. */
function showUnderstanding(explain: unknown, style: Style): string[][] {
  if (!isFields(explain)) return [];
  const pairs = Object.entries(explain).map(([name, value]): [string, string] => [
    name.replaceAll("_", " "),
    typeof value === "number" ? showNumber(value) : inLine([value].flat().join(", ")),
  ]);
  return [["The query", ...details(pairs, style)]];
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}
