import { stripControl } from "../../../shared/text.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine, showList } from "../show-value.ts";
import type { ShownProposal } from "../shown.ts";
import { body, details } from "./details.ts";
import { header, showAgeOf, showAsserter } from "./header.ts";

export const proposal: BlockShape<ShownProposal> = {
  fits: (record) => has<ShownProposal>(record, "id", "content", "times", "seen_at"),
  block: (record, style) => {
    const { yellow, red, green, dim } = style.colors;
    const { id, status, times, evidence } = record;
    const isOpen = status === "open" || status === "faded";
    const how = `cairn accept ${inLine(id)}, or cairn reject ${inLine(id)}`;
    return [
      header(
        id,
        [
          isOpen ? red(status) : green(status),
          yellow(inLine(record.episode_type)),
          showAgeOf(record, style),
          showAsserter(record),
          times > 1 ? `said in ${times} sessions` : "",
        ],
        style,
      ),
      ...body(stripControl(record.content), style),
      ...details(
        [
          ["entities", showList(record.entities)],
          ["words", inLine(record.quotation)],
          ["from", showList(evidence)],
          ["waits because", inLine(record.reason)],
          ["became", inLine(record.episode_id)],
          ["note", inLine(record.note)],
          ["decided by", inLine(record.decided_by)],
          ["settle it", isOpen ? dim(how) : ""],
        ],
        style,
      ),
    ];
  },
};
