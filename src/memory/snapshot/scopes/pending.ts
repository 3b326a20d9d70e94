import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { defineScope } from "../define-scope.ts";

/** Unprocessed episodes, newest first, and the entities that they mention. */
export const pending = defineScope({
  name: "pending",
  summary: "Episodes that were not reviewed yet, with their entities",
  async read({ tx }) {
    const episodes = await loadEpisodes(tx, await listEpisodeNumbers(tx, { pending: true }));
    const entities = [...new Set(episodes.flatMap((episode) => episode.entities))];
    return { count: episodes.length, episodes, entities };
  },
});
