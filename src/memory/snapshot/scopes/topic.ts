import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { requireTopic, toTopicRecord } from "../../topics/topic.queries.ts";
import { defineScope } from "../define-scope.ts";

/** Everything that has the topic. */
export const topic = defineScope({
  name: "topic",
  summary: "A topic with its concepts and episodes",
  argument: { name: "id", form: "<id>", suggests: "topic" },
  async read({ tx }, id) {
    const row = await requireTopic(tx, id, "topic");
    const filter = { topicId: row.id };
    const episodes = await loadEpisodes(tx, await listEpisodeNumbers(tx, filter));
    const concepts = await loadConcepts(tx, await listConceptNumbers(tx, filter));
    return {
      topic: await toTopicRecord(tx, row),
      count: episodes.length + concepts.length,
      episodes,
      concepts,
    };
  },
});
