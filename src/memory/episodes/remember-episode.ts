import { sql } from "drizzle-orm";
import { preparedQuery } from "../../database/index.ts";
import { invalidInput } from "../../kernel/errors.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { didYouMean } from "../../kernel/nearest.ts";
import type { WriteContext } from "../context/write-context.ts";
import { addEpisodeEntities, type EntityRow, ensureEntities } from "../entities/entity.queries.ts";
import { type AddedFact, addFact } from "../facts/add-fact.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import type { EntityName } from "../input/parse-entity.ts";
import { addLabels } from "../labels/label.queries.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import type { EpisodeRow } from "./episode.queries.ts";
import { episodes } from "./episode.table.ts";
import { FACT } from "./episode-types.ts";

export interface NewEpisode {
  readonly content: string;
  readonly episode_type: string;
  readonly metadata?: JsonObject | undefined;
  readonly entities?: readonly EntityName[] | undefined;
  readonly labels?: readonly LabelRecord[] | undefined;
  readonly source_type?: string | undefined;
  readonly asserted_by?: string | undefined;
  readonly source_ref?: string | undefined;
  readonly session?: string | undefined;
  readonly occurred_at?: string | undefined;
  readonly topic?: string | undefined;
}

/** Stores an episode with its entities and labels; a fact joins its cluster. */
export async function rememberEpisode(
  context: WriteContext,
  episode: NewEpisode,
): Promise<{ row: EpisodeRow; fact: AddedFact | undefined; entities: readonly EntityRow[] }> {
  const { tx, now } = context;
  checkTextSize(context.limits, "content", episode.content);
  checkEpisodeType(context, episode.episode_type);
  const topic =
    episode.topic === undefined ? undefined : await requireTopic(tx, episode.topic, "topic");
  const [row] = await insertEpisode(tx).execute({
    content: episode.content,
    episodeType: episode.episode_type,
    metadata: episode.metadata === undefined ? null : JSON.stringify(episode.metadata),
    sourceType: episode.source_type ?? null,
    assertedBy: episode.asserted_by ?? null,
    sourceRef: episode.source_ref ?? null,
    session: episode.session ?? context.options.session ?? null,
    occurredAt: episode.occurred_at ?? null,
    topicId: topic?.id ?? null,
    now,
  });
  if (row === undefined) throw new Error("The episode was not stored.");
  const entityRows = await ensureEntities(tx, episode.entities ?? [], now);
  await addEpisodeEntities(tx, row.id, entityRows);
  await addLabels(tx, { type: "episode", number: row.id }, episode.labels ?? []);
  context.touch("episode", row.id);
  const fact = row.episodeType === FACT ? await addFact(context, row, entityRows) : undefined;
  return { row, fact, entities: entityRows };
}

const insertEpisode = preparedQuery((tx) =>
  tx
    .insert(episodes)
    .values({
      content: sql.placeholder("content"),
      episodeType: sql.placeholder("episodeType"),
      // As text: the column would write null as the JSON of null.
      metadata: sql`${sql.placeholder("metadata")}`,
      sourceType: sql.placeholder("sourceType"),
      assertedBy: sql.placeholder("assertedBy"),
      sourceRef: sql.placeholder("sourceRef"),
      session: sql.placeholder("session"),
      occurredAt: sql.placeholder("occurredAt"),
      topicId: sql.placeholder("topicId"),
      createdAt: sql.placeholder("now"),
      updatedAt: sql.placeholder("now"),
    })
    .returning()
    .prepare(),
);

/** Throws invalid_input for a type that is neither built in nor configured. */
export function checkEpisodeType({ episodeTypes }: WriteContext, type: string): void {
  if (episodeTypes.includes(type)) return;
  throw invalidInput(
    `episode_type: "${type}" is not an episode type.${didYouMean(type, episodeTypes)} ` +
      "Custom types are set in CAIRN_EPISODE_TYPES or as episodeTypes in the config.",
  );
}
