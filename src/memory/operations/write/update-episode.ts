import { z } from "zod";
import { withMeta } from "../../../shared/fields.ts";
import { loadEpisode } from "../../episodes/episode.queries.ts";
import { episodeRecord, PRIORITIES } from "../../episodes/episode.schema.ts";
import { updateEpisodeFields } from "../../episodes/update-episode-fields.ts";
import {
  contentField,
  entitiesField,
  idOf,
  labelsField,
  listField,
  nameField,
  startTimeField,
} from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { defineUpdate } from "../define-update.ts";

export const updateEpisode = defineUpdate({
  name: "update_episode",
  summary: "Change fields of an episode; only those given",
  description: "New content resets the episode for consolidation. `labels` replaces all labels.",
  target: "episode_id",
  input: z.strictObject({
    episode_id: idOf("episode"),
    content: contentField.optional(),
    episode_type: nameField.optional(),
    entities: entitiesField.optional().describe("Comma-separated; replaces all entities."),
    plan_id: withMeta(z.string().max(64), { names: "episode" })
      .optional()
      .describe("Plan episode; empty text clears it."),
    spec_ids: withMeta(listField, { names: "episode" })
      .optional()
      .describe("Comma-separated spec episodes."),
    depends_on: withMeta(listField, { names: "episode" })
      .optional()
      .describe("Comma-separated episodes of tasks."),
    priority: z
      .union([z.enum(PRIORITIES), z.literal("")], "must be p0, p1 or p2, or empty text to clear it")
      .optional()
      .describe("p0, p1 or p2; empty text clears it."),
    labels: labelsField.optional().describe("Comma-separated key=value; replaces all labels."),
    occurred_at: startTimeField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: episodeRecord,
  mcp: { idempotent: true, plainFields: ["labels"] },
  rest: { method: "PATCH", path: "/episodes/{episode_id}" },
  confirm: ({ episode_id: id }) => `Updated ${id}. Revert with \`cairn undo\`.`,
  cli: {
    command: "episode update",
    positionals: ["episode_id"],
    example: "cairn episode update ep:3 --priority p1",
  },
  change: updateEpisodeFields,
  load: loadEpisode,
});
