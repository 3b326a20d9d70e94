import { stripControl } from "../../../shared/text.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine } from "../show-value.ts";
import type { ShownEpisode } from "../shown.ts";
import { body, details, propertyPairs } from "./details.ts";
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
    ...details([...propertyPairs(record, style), ["score from", showExplanation(record)]], style),
  ],
};
