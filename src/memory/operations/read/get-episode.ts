import { z } from "zod";
import { loadEpisode, requireEpisode } from "../../episodes/episode.queries.ts";
import { episodeRecord } from "../../episodes/episode.schema.ts";
import { idOf } from "../../input/fields.ts";
import { defineRecord } from "../define-record.ts";

export const getEpisode = defineRecord({
  name: "get_episode",
  summary: "Show an episode",
  target: "episode_id",
  input: z.strictObject({ episode_id: idOf("episode") }),
  output: episodeRecord,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/episodes/{episode_id}" },
  cli: { command: false, example: "cairn show ep:1" },
  of: "episode_id",
  find: requireEpisode,
  show: (tx, { id }) => loadEpisode(tx, id),
});
