import { insertNumberedRows } from "../../database/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { WriteContext } from "../context/write-context.ts";
import { addMentions, type MentionedEntity } from "../entities/mention.queries.ts";
import { type AddedFact, addFacts } from "../facts/add-facts.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import type { EntityName } from "../input/parse-entity.ts";
import { addEpisodeLabels } from "../labels/label.queries.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import type { NewEpisodeRow } from "./episode.queries.ts";
import { episodes } from "./episode.table.ts";
import { FACT_TYPE } from "./episode-types.ts";

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
  readonly entities: readonly MentionedEntity[];
}

export async function rememberEpisodes(
  context: WriteContext,
  values: readonly NewEpisode[],
): Promise<Remembered[]> {
  const { tx, now } = context;
  const rows = await createInsertRows(context, values);
  const mentioned = await addMentions(
    tx,
    rows.map((row, index) => ({ episode: row.id, names: values[index]?.entities ?? [] })),
    now,
  );
  await addEpisodeLabels(
    tx,
    values.map((episode, index) => ({
      episode: rows[index]?.id ?? 0,
      labels: episode.labels ?? [],
    })),
  );
  const stored = rows.map((row, index) => ({ row, entities: mentioned[index] ?? [] }));
  for (const { row, entities } of stored) {
    const entityNames = entities.map(({ name }) => name);
    context.touchNew({ kind: "episode", number: row.id, words: { ...row, entityNames } });
  }
  const claims = stored.filter(({ row }) => row.episodeType === FACT_TYPE);
  const added = await addFacts(
    context,
    claims.map(({ row, entities }) => ({ episode: row, entities })),
  );
  const facts = new Map(claims.map(({ row }, index) => [row.id, added[index]]));
  return stored.map(({ row, entities }) => ({ row, entities, fact: facts.get(row.id) }));
}

type EpisodeInsert = typeof episodes.$inferInsert;

type DefaultedColumn = "id" | "planId" | "priority" | "processed" | "deletedAt";

/** Requires every other column, so that none is omitted by mistake. */
type RememberedRow = {
  readonly [Column in Exclude<keyof EpisodeInsert, DefaultedColumn>]-?:
    | EpisodeInsert[Column]
    | undefined;
} & Pick<EpisodeInsert, "content" | "episodeType" | "createdAt" | "updatedAt">;

async function createInsertRows(
  context: WriteContext,
  values: readonly NewEpisode[],
): Promise<NewEpisodeRow[]> {
  const { tx, now } = context;
  const rows: RememberedRow[] = [];
  for (const episode of values) {
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

export function checkEpisodeType({ episodeTypes }: WriteContext, type: string): void {
  if (episodeTypes.includes(type)) return;
  throw invalidInput(
    `episode_type: "${type}" is not an episode type.${didYouMean(type, episodeTypes)} ` +
      "Custom types are set in CAIRN_EPISODE_TYPES or as episodeTypes in the config.",
  );
}
