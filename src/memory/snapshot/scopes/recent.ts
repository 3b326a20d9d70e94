import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import type { ScopeReader } from "../scope.ts";

/** The n newest episodes. */
export const recent: ScopeReader = async ({ tx }, argument = "1") => {
  const numbers = await listEpisodeNumbers(tx, {}, { limit: Number(argument), offset: 0 });
  return { count: numbers.length, episodes: await loadEpisodes(tx, numbers) };
};
