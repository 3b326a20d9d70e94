import type { WriteContext } from "../context/write-context.ts";
import { entityId } from "../entities/entity.queries.ts";
import { episodeId } from "../input/item-ids.ts";
import { labelText } from "../input/parse-labels.ts";
import { type NewEpisode, rememberEpisodes } from "./remember-episode.ts";

export async function rememberAll(context: WriteContext, inputs: readonly NewEpisode[]) {
  const remembered = await rememberEpisodes(context, inputs);
  const answers = [];
  for (const [index, { row, fact, entities }] of remembered.entries()) {
    const id = episodeId(row.id);
    const { labels = [], asserted_by: author } = inputs[index] ?? {};
    await context.emit({
      kind: "remembered",
      subjectType: "episode",
      subjectId: id,
      payload: {
        episode_type: row.episodeType,
        ...(fact && { fact_id: fact.fact_id, cluster_id: fact.cluster_id }),
      },
      about: [
        ...entities.map(entityId),
        ...labels.map(labelText),
        ...(row.topicId === null ? [] : [row.topicId]),
      ],
      author,
    });
    answers.push({ id, episode_type: row.episodeType, created_at: row.createdAt, ...fact });
  }
  return answers;
}
