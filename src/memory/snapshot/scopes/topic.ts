import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { omittedOf, shownOf, wholeList } from "../../context/whole-list.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { requireTopic, toTopicRecord } from "../../topics/topic.queries.ts";
import { defineScope } from "../define-scope.ts";

/** Everything that has the topic. */
export const topic = defineScope({
  name: "topic",
  summary: "A topic with its concepts and episodes",
  argument: { name: "id", form: "<id>", suggests: "topic" },
  async read(context, id) {
    const { tx } = context;
    const row = await requireTopic(tx, id, "topic");
    const filter = { topicId: row.id };
    const episodes = await listEpisodeNumbers(tx, filter);
    const concepts = await listConceptNumbers(tx, filter);
    return {
      topic: await toTopicRecord(tx, row),
      count: episodes.length + concepts.length,
      episodes: await wholeList(context, shownOf(context, episodes), loadEpisodes),
      concepts: await wholeList(context, shownOf(context, concepts), loadConcepts),
      ...omittedOf(context, episodes, concepts),
    };
  },
});
