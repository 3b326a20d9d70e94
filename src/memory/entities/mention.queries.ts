import { and, asc, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import {
  insertRows,
  listOfRows,
  listOfValues,
  numbersParameter,
  ORDERED_JOIN,
  preparedQuery,
  rowsParameter,
  type Tx,
} from "../../database/index.ts";
import { loadInBatches, settleAll } from "../../shared/async.ts";
import { conceptSources, concepts, evidence } from "../concepts/concept.table.ts";
import { isBelow, type Page } from "../context/page-cursor.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";
import type { EntityName } from "../input/parse-entity.ts";
import { addEntities, type EntityRow, toEntityRecord } from "./entity.queries.ts";
import type { EntityRecord } from "./entity.schema.ts";
import { entities } from "./entity.table.ts";

export async function loadEpisodesOfEntity(tx: Tx, entityNumber: number): Promise<number[]> {
  const locations = await listEpisodePositionsOfEntity(tx, entityNumber);
  return locations.map(([, number]) => number);
}

export async function listEpisodePositionsOfEntity(
  tx: Tx,
  entityNumber: number,
  page?: Page,
): Promise<[time: string, number: number][]> {
  const { createdAt, id } = episodes;
  const isMentioned = and(eq(episodeEntities.entityId, entityNumber), isNull(episodes.deletedAt));
  const query = tx
    .select({ time: createdAt, id })
    .from(episodeEntities)
    .innerJoin(episodes, eq(id, episodeEntities.episodeId))
    .where(and(isMentioned, isBelow([createdAt, id], page?.after)))
    .orderBy(desc(createdAt), desc(id));
  const rows = page === undefined ? await query : await query.limit(page.limit).offset(page.offset);
  return rows.map((row) => [row.time, row.id]);
}

export async function countMentions(tx: Tx, entityNumber: number): Promise<number> {
  const [mentions] = await tx
    .select({ total: count() })
    .from(episodeEntities)
    .innerJoin(episodes, eq(episodes.id, episodeEntities.episodeId))
    .where(and(eq(episodeEntities.entityId, entityNumber), isNull(episodes.deletedAt)));
  return mentions?.total ?? 0;
}

export async function loadEntity(tx: Tx, row: EntityRow): Promise<EntityRecord> {
  return toEntityRecord(row, await countMentions(tx, row.id));
}

export async function loadEntitiesOfEpisodes(
  tx: Tx,
  episodeNumbers: readonly number[],
): Promise<{ episodeId: number; entity: EntityRow }[]> {
  if (episodeNumbers.length === 0) return [];
  return mentionsOfEpisodes(tx).execute({ numbers: listOfValues(episodeNumbers) });
}

const mentionsOfEpisodes = preparedQuery((tx) =>
  tx
    .select({ episodeId: episodeEntities.episodeId, entity: entities })
    .from(episodeEntities)
    .innerJoin(entities, eq(entities.id, episodeEntities.entityId))
    .where(sql`${episodeEntities.episodeId} in (${numbersParameter("numbers")})`)
    .orderBy(asc(episodeEntities.episodeId), asc(episodeEntities.position))
    .prepare(),
);

export async function setEpisodeEntities(
  tx: Tx,
  episodeNumber: number,
  rows: readonly EntityRow[],
): Promise<void> {
  await tx.delete(episodeEntities).where(eq(episodeEntities.episodeId, episodeNumber));
  await addEpisodeEntities(tx, episodeNumber, rows);
}

export function addEpisodeEntities(
  tx: Tx,
  episodeNumber: number,
  rows: readonly EntityRow[],
): Promise<void> {
  return insertMentions(
    tx,
    rows.map(({ id }, position) => ({ episodeId: episodeNumber, entityId: id, position })),
  );
}

const insertMentions = insertRows(episodeEntities);

export type MentionedEntity = Pick<EntityRow, "id" | "type" | "name">;

export async function addMentions(
  tx: Tx,
  mentions: readonly { episode: number; names: readonly EntityName[] }[],
  now: string,
): Promise<MentionedEntity[][]> {
  const requested = mentions.flatMap(({ episode, names }) =>
    names.map((name, position) => ({ ...name, episode, position })),
  );
  const known = await addKnownMentions(tx, requested);
  const unknown = requested.filter((mention) => !known.has(placeOfMention(mention)));
  if (unknown.length > 0) {
    await addEntities(tx, unknown, now);
    for (const [path, entity] of await addKnownMentions(tx, unknown)) known.set(path, entity);
  }
  return mentions.map(({ episode, names }) =>
    names.flatMap((_, position) => known.get(placeOfMention({ episode, position })) ?? []),
  );
}

interface Mention extends EntityName {
  readonly episode: number;
  readonly position: number;
}

const placeOfMention = ({ episode, position }: Pick<Mention, "episode" | "position">) =>
  `${episode}/${position}`;

async function addKnownMentions(
  tx: Tx,
  requested: readonly Mention[],
): Promise<Map<string, MentionedEntity>> {
  if (requested.length === 0) return new Map();
  const types = new Map(requested.map((mention) => [placeOfMention(mention), mention.type]));
  const rows = requested.map(({ episode, position, type, key }) => [episode, position, type, key]);
  const created = await insertKnownMentions(tx).execute({ mentions: listOfRows(rows) });
  return new Map(
    created.map(({ episode, position, id, name }) => {
      const key = placeOfMention({ episode, position });
      return [key, { id, name, type: types.get(key) ?? "" }];
    }),
  );
}

const MENTION_COLUMNS = {
  episode: "number",
  position: "number",
  type: "text",
  key: "text",
} as const;

const insertKnownMentions = preparedQuery((tx) =>
  tx
    .insert(episodeEntities)
    .select(
      sql`select mention.episode, entities.id, mention.position
        from (${rowsParameter("mentions", MENTION_COLUMNS)}) mention
        ${ORDERED_JOIN} entities on entities.type = mention.type and entities.key = mention.key`,
    )
    .returning({
      episode: episodeEntities.episodeId,
      position: episodeEntities.position,
      id: episodeEntities.entityId,
      name: sql<string>`(select entities.name from entities where entities.id = entity_id)`,
    })
    .prepare(),
);

export async function listConceptPositionsOfEntity(
  tx: Tx,
  entityNumber: number,
): Promise<[time: string, number: number][]> {
  const episodeNumbers = await loadEpisodesOfEntity(tx, entityNumber);
  const fromSources = loadInBatches(episodeNumbers, (slice) =>
    tx
      .selectDistinct({ id: conceptSources.conceptId })
      .from(conceptSources)
      .where(inArray(conceptSources.episodeId, slice)),
  );
  const fromEvidence = loadInBatches(episodeNumbers, (slice) =>
    tx
      .selectDistinct({ id: evidence.conceptId })
      .from(evidence)
      .where(inArray(evidence.episodeId, slice)),
  );
  const fromFacts = loadInBatches(episodeNumbers, (slice) =>
    tx
      .selectDistinct({ id: facts.clusterId })
      .from(facts)
      .where(and(inArray(facts.episodeId, slice), eq(facts.status, "active"))),
  );
  const rows = (await settleAll(fromSources, fromEvidence, fromFacts)).flat();
  const numbers = new Set(rows.map((row) => row.id));
  const found = await activeNewestFirst(tx, [...numbers]);
  return found.map(({ createdAt, id }) => [createdAt, id]);
}

export async function loadClustersOfEntity(tx: Tx, entityNumber: number): Promise<number[]> {
  const episodeNumbers = await loadEpisodesOfEntity(tx, entityNumber);
  const rows = await loadInBatches(episodeNumbers, (slice) =>
    tx
      .selectDistinct({ id: facts.clusterId })
      .from(facts)
      .where(and(inArray(facts.episodeId, slice), eq(facts.status, "active"))),
  );
  const found = await activeNewestFirst(tx, [...new Set(rows.map((row) => row.id))]);
  return found.map(({ id }) => id);
}

async function activeNewestFirst(tx: Tx, numbers: readonly number[]): Promise<DatedItem[]> {
  const rows = await loadInBatches(numbers, (slice) =>
    tx
      .select({ id: concepts.id, createdAt: concepts.createdAt })
      .from(concepts)
      .where(and(inArray(concepts.id, slice), isNull(concepts.deletedAt))),
  );
  return rows.sort(newestFirst);
}

interface DatedItem {
  readonly id: number;
  readonly createdAt: string;
}

function newestFirst(a: DatedItem, b: DatedItem): number {
  if (a.createdAt === b.createdAt) return b.id - a.id;
  return a.createdAt < b.createdAt ? 1 : -1;
}
