import { indent } from "../lay-out.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine } from "../show-value.ts";
import type { ShownConflict } from "../shown.ts";
import { body, details } from "./details.ts";
import { fact } from "./fact.ts";
import { header, showAgeOf } from "./header.ts";

export const conflict: BlockShape<ShownConflict> = {
  fits: (record) => has<ShownConflict>(record, "id", "fact_a", "fact_b"),
  block: (record, style) => {
    const { red, green, dim } = style.colors;
    const isOpen = record.status === "open";
    const status = isOpen ? red("open") : green(inLine(record.status));
    const narrower = { ...style, columns: style.columns - 4 };
    return [
      header(
        record.id,
        [status, `severity ${inLine(record.severity)}`, showAgeOf(record, style)],
        style,
      ),
      ...body(inLine(record.description), style),
      ...[record.fact_a, record.fact_b].flatMap((side) => indent(fact.block(side, narrower), 4)),
      ...details(
        [
          ["winner", inLine(record.winner)],
          ["note", inLine(record.note)],
          ["decided by", inLine(record.resolved_by)],
          ["settle it", isOpen ? dim(howToSettle(record)) : ""],
        ],
        style,
      ),
    ];
  },
};

function howToSettle({ id, fact_a: a, fact_b: b }: ShownConflict): string {
  const ids = [a, b].map((side) => inLine(side.id));
  return `cairn resolve ${inLine(id)} ${ids.join("|")}, or cairn dismiss ${inLine(id)}`;
}
