import { insertNumberedRows } from "../../database/index.ts";
import { invalidInput } from "../../kernel/errors.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { didYouMean } from "../../kernel/nearest.ts";
import type { WriteContext } from "../context/write-context.ts";
import { addMentions, type EntityRow, ensureEntities } from "../entities/entity.queries.ts";
import { type AddedFact, addFact } from "../facts/add-fact.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import type { EntityName } from "../input/parse-entity.ts";
import { addEpisodeLabels } from "../labels/label.queries.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import type { NewEpisodeRow } from "./episode.queries.ts";
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

export interface Remembered {
  readonly row: NewEpisodeRow;
  readonly fact: AddedFact | undefined;
  readonly entities: readonly EntityRow[];
}

/** Stores episodes with their entities and labels, in order; facts join their clusters. */
export async function rememberEpisodes(
  context: WriteContext,
  given: readonly NewEpisode[],
): Promise<Remembered[]> {
  const { tx, now } = context;
  const rows = await insertRowsOf(context, given);
  const names = given.map((episode) => episode.entities ?? []);
  const known = await ensureEntities(tx, names.flat(), now);
  const stored = rows.map((row, index) => ({
    row,
    entities: known.splice(0, names[index]?.length),
    labels: given[index]?.labels ?? [],
  }));
  await addMentions(
    tx,
    stored.map(({ row, entities }) => ({ episode: row.id, entities })),
  );
  await addEpisodeLabels(
    tx,
    stored.map(({ row, labels }) => ({ episode: row.id, labels })),
  );
  const remembered: Remembered[] = [];
  for (const { row, entities } of stored) {
    const entityNames = entities.map(({ name }) => name);
    context.touchNew({ kind: "episode", number: row.id, words: { ...row, entityNames } });
    const fact = row.episodeType === FACT ? await addFact(context, row, entities) : undefined;
    remembered.push({ row, fact, entities });
  }
  return remembered;
}

async function insertRowsOf(
  context: WriteContext,
  given: readonly NewEpisode[],
): Promise<NewEpisodeRow[]> {
  const { tx, now } = context;
  const rows: (typeof episodes.$inferInsert)[] = [];
  for (const episode of given) {
    checkTextSize(context.limits, "content", episode.content);
    checkEpisodeType(context, episode.episode_type);
    const { topic } = episode;
    rows.push({
      content: episode.content,
      episodeType: episode.episode_type,
      metadata: episode.metadata,
      sourceType: episode.source_type,
      assertedBy: episode.asserted_by,
      sourceRef: episode.source_ref,
      session: episode.session ?? context.options.session,
      occurredAt: episode.occurred_at,
      topicId: topic === undefined ? null : (await requireTopic(tx, topic, "topic")).id,
      createdAt: now,
      updatedAt: now,
    });
  }
  const numbers = await insertEpisodes(tx, rows);
  return rows.map((row, index) => {
    const id = numbers[index];
    if (id === undefined) throw new Error("The episode was not stored.");
    const { content, episodeType, assertedBy = null, occurredAt = null, topicId = null } = row;
    return { id, content, episodeType, assertedBy, occurredAt, topicId, createdAt: now };
  });
}

const insertEpisodes = insertNumberedRows(episodes, episodes.id);

/** Throws invalid_input for a type that is neither built in nor configured. */
export function checkEpisodeType({ episodeTypes }: WriteContext, type: string): void {
  if (episodeTypes.includes(type)) return;
  throw invalidInput(
    `episode_type: "${type}" is not an episode type.${didYouMean(type, episodeTypes)} ` +
      "Custom types are set in CAIRN_EPISODE_TYPES or as episodeTypes in the config.",
  );
}
