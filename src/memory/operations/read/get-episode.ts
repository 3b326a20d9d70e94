import { z } from "zod";
import { loadEpisode, requireEpisode } from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { idOf } from "../../input/fields.ts";
import { defineOperation } from "../define-operation.ts";

export const getEpisode = defineOperation({
  name: "get_episode",
  summary: "Show an episode",
  target: "episode_id",
  kind: "read",
  input: z.strictObject({ episode_id: idOf("episode") }),
  output: episodeRecord,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes/{episode_id}" },
  cli: {
    command: "episode",
    hidden: true,
    positionals: ["episode_id"],
    example: "cairn episode ep:1",
  },
  async run({ tx }, input) {
    return loadEpisode(tx, (await requireEpisode(tx, input.episode_id, "episode_id")).id);
  },
});
