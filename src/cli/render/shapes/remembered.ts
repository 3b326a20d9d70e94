import { indent } from "../lay-out.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine } from "../show-value.ts";
import type { ShownCollisions, ShownRemembered } from "../shown.ts";
import type { Style } from "../style.ts";
import { fact } from "./fact.ts";

/** The answer of `remember`. Collisions are shown with the commands that settle them. */
export const remembered: BlockShape<ShownRemembered> = {
  fits: (record) =>
    has<ShownRemembered>(record, "id", "episode_type", "created_at") &&
    !has(record, "content") &&
    !has(record, "op"),
  block: (record, style) => {
    const { bold, cyan } = style.colors;
    const kind = inLine(record.episode_type);
    return [
      `Remembered ${bold(cyan(inLine(record.id)))} (${kind})${style.database === undefined ? "" : ` in ${style.database}`}.`,
      ...(record.fact_id === undefined ? [] : [showCluster(record, style)]),
      ...showCollisions(record, style),
    ];
  },
};

function showCluster(record: ShownRemembered, { colors }: Style): string {
  const opened = record.cluster_created === true ? "the new cluster" : "cluster";
  return `${colors.bold(colors.cyan(inLine(record.fact_id)))} is in ${opened} ${inLine(record.cluster_id)}.`;
}

/** The facts that a new one may contradict, and what to do about them. */
export function showCollisions(record: ShownCollisions, style: Style): string[] {
  const { collisions: known = [], collisions_total: total } = record;
  if (known.length === 0) return [];
  const former = known.length === 1 ? inLine(known[0]?.id) : "OLD";
  const latter = inLine(record.fact_id);
  const count = total ?? known.length;
  const more = count - known.length;
  return [
    "",
    style.colors.yellow(
      `${latter} may contradict ${count === 1 ? "1 active fact" : `${count} active facts`}:`,
    ),
    ...indent(
      known.flatMap((collision) => fact.block(collision, { ...style, columns: style.columns - 2 })),
      2,
    ),
    ...(more > 0 ? [`  and ${more} more, less close; --collisions all lists them`] : []),
    "",
    `If ${latter} replaces ${former}:  cairn supersede ${former} ${latter}`,
    `If both cannot hold:  cairn conflict ${former} ${latter} --description "why"`,
    "If both hold, nothing needs to be done.",
  ];
}
