import { stripControl } from "../../../kernel/strip-control.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine, showLabels, showList } from "../show-value.ts";
import type { ShownEpisode } from "../shown.ts";
import { body, details } from "./details.ts";
import {
  header,
  showAgeOf,
  showAsserter,
  showDeleted,
  showExplanation,
  showScore,
} from "./header.ts";

export const episode: BlockShape<ShownEpisode> = {
  fits: (record) => has<ShownEpisode>(record, "id", "content", "episode_type"),
  block: (record, style) => [
    header(
      record.id,
      [
        style.colors.yellow(inLine(record.episode_type)),
        showScore(record, style),
        showAgeOf(record, style),
        showAsserter(record),
        record.processed === false ? style.colors.dim("pending") : "",
        showDeleted(record, style),
      ],
      style,
    ),
    ...body(stripControl(record.content), style),
    ...details(
      [
        ["fact", inLine(record.fact_id)],
        ["entities", showList(record.entities)],
        ["labels", showLabels(record.labels)],
        ["source", inLine(record.source_ref)],
        ["session", inLine(record.session)],
        ["topic", inLine(record.topic_id)],
        ["plan", inLine(record.plan_id)],
        ["specs", showList(record.spec_ids)],
        ["depends on", showList(record.depends_on)],
        ["priority", inLine(record.priority)],
        ["metadata", record.metadata ? inLine(JSON.stringify(record.metadata)) : ""],
        ["score from", showExplanation(record)],
      ],
      style,
    ),
  ],
};
