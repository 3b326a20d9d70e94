import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import type { ScopeReader } from "../scope.ts";

/** Unprocessed episodes, newest first, and the entities that they mention. */
export const pending: ScopeReader = async ({ tx }) => {
  const episodes = await loadEpisodes(tx, await listEpisodeNumbers(tx, { pending: true }));
  const entities = [...new Set(episodes.flatMap((episode) => episode.entities))];
  return { count: episodes.length, episodes, entities };
};
