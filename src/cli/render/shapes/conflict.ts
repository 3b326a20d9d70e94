import { indent } from "../lay-out.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine, isFields } from "../show-value.ts";
import { body, details } from "./details.ts";
import { fact } from "./fact.ts";
import { header, showAgeOf } from "./header.ts";

export const conflict: BlockShape = {
  fits: (record) => has(record, "id", "fact_a", "fact_b"),
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
      ...[record.fact_a, record.fact_b]
        .filter(isFields)
        .flatMap((side) => indent(fact.block(side, narrower), 4)),
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

function howToSettle({ id, fact_a: a, fact_b: b }: Readonly<Record<string, unknown>>): string {
  const ids = [a, b].map((side) => (isFields(side) ? inLine(side.id) : ""));
  return `cairn resolve ${inLine(id)} ${ids.join("|")}, or cairn dismiss ${inLine(id)}`;
}
