import { stripControl } from "../../../shared/text.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine, showTime } from "../show-value.ts";
import type { ShownFact } from "../shown.ts";
import { body, details, propertyPairs } from "./details.ts";
import { header, showAsserter } from "./header.ts";

export const fact: BlockShape<ShownFact> = {
  fits: (record) => has<ShownFact>(record, "id", "statement", "valid_from"),
  block: (record, style) => {
    const { green, dim } = style.colors;
    const isActive = record.status === "active" || record.status === undefined;
    return [
      header(
        record.id,
        [
          isActive ? green("active") : dim(inLine(record.status)),
          `since ${showTime(record.valid_from, style)}`,
          showAsserter(record),
        ],
        style,
      ),
      ...body(stripControl(record.statement), style),
      ...details(propertyPairs(record, style), style),
    ];
  },
};
