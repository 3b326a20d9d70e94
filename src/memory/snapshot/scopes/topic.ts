import { settleAll } from "../../../shared/async.ts";
import { listConceptNumbers, loadConcepts } from "../../concepts/concept.queries.ts";
import { countOmitted, loadList, takeShown } from "../../context/sliced-list.ts";
import { listEpisodeNumbers, loadEpisodes } from "../../episodes/episode.queries.ts";
import { requireTopic, toTopicRecord } from "../../topics/topic.queries.ts";
import { defineScope } from "../define-scope.ts";

export const topic = defineScope({
  name: "topic",
  summary: "A topic with its concepts and episodes",
  argument: { name: "id", form: "<id>", suggests: "topic" },
  narrows: "records",
  async read(context, id, _prepared, { passing }) {
    const { tx } = context;
    const row = await requireTopic(tx, id, "topic");
    const topicId = row.id;
    const [shown, episodes, concepts] = await settleAll(
      toTopicRecord(tx, row),
      listEpisodeNumbers(tx, { topicId, passes: passing?.("episode") }),
      listConceptNumbers(tx, { topicId, passes: passing?.("concept") }),
    );
    const [remembered, known] = await settleAll(
      loadList(context, takeShown(context, episodes), loadEpisodes),
      loadList(context, takeShown(context, concepts), loadConcepts),
    );
    return {
      topic: shown,
      count: episodes.length + concepts.length,
      episodes: remembered,
      concepts: known,
      ...countOmitted(context, episodes, concepts),
    };
  },
});
