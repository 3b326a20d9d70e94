import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { parseLabel } from "../../input/parse-labels.ts";
import type { ScopeReader } from "../scope.ts";

/** Everything that carries the label. */
export const label: ScopeReader = async ({ tx }, argument = "") => {
  const wanted = parseLabel(argument);
  const filter = { labels: [wanted] };
  const episodes = await loadEpisodes(tx, await listEpisodeNumbers(tx, filter));
  const concepts = await loadConcepts(tx, await listConceptNumbers(tx, filter));
  return { ...wanted, count: episodes.length + concepts.length, episodes, concepts };
};
