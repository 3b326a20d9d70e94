import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { requireTopic, toTopicRecord } from "../../topics/topic.queries.ts";
import type { ScopeReader } from "../scope.ts";

/** Everything that has the topic. */
export const topic: ScopeReader = async ({ tx }, id = "") => {
  const row = await requireTopic(tx, id, "topic");
  const filter = { topicId: row.id };
  const episodes = await loadEpisodes(tx, await listEpisodeNumbers(tx, filter));
  const concepts = await loadConcepts(tx, await listConceptNumbers(tx, filter));
  return {
    topic: toTopicRecord(row),
    count: episodes.length + concepts.length,
    episodes,
    concepts,
  };
};
