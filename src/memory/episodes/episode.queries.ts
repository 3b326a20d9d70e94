import { and, asc, count, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { listOfValues, numbersParameter, preparedQuery, type Tx } from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import { groupBy, indexBy } from "../../shared/collections.ts";
import { notFound } from "../../shared/errors.ts";
import { isBelow, type Page } from "../context/page-cursor.ts";
import { entityId } from "../entities/entity.queries.ts";
import { loadEntitiesOfEpisodes } from "../entities/mention.queries.ts";
import { facts } from "../facts/fact.table.ts";
import { episodeId, factId, parseNumberedId } from "../input/item-ids.ts";
import { loadLabelsOfEpisodes } from "../labels/label.queries.ts";
import { addTotals, loadTotals, sumTotals } from "../totals.ts";
import type { EpisodeRecord, PRIORITIES } from "./episode.schema.ts";
import { episodeLinks, episodes } from "./episode.table.ts";

export type EpisodeRow = typeof episodes.$inferSelect;

export type NewEpisodeRow = Pick<
  EpisodeRow,
  "id" | "content" | "episodeType" | "assertedBy" | "occurredAt" | "topicId" | "createdAt"
>;

export async function requireEpisode(tx: Tx, id: string, field: string): Promise<EpisodeRow> {
  const row = await findEpisode(tx, id, field);
  if (row.deletedAt === null) return row;
  throw notFound(`${field}: episode ${id} is deleted; restore it first`);
}

export async function findEpisode(tx: Tx, id: string, field: string): Promise<EpisodeRow> {
  const number = parseNumberedId(id, "episode", field);
  const [row] = await tx.select().from(episodes).where(eq(episodes.id, number));
  if (row === undefined) throw notFound(`${field}: there is no episode ${id}`);
  return row;
}

export async function requireEpisodes(
  tx: Tx,
  ids: readonly string[],
  field: string,
): Promise<EpisodeRow[]> {
  const rows: EpisodeRow[] = [];
  for (const id of ids) rows.push(await requireEpisode(tx, id, field));
  return rows;
}

export interface EpisodeFilter {
  readonly type?: string | undefined;
  readonly passes?: SQL | undefined;
  readonly topicId?: string | undefined;
  readonly deleted?: boolean | undefined;
  readonly pending?: boolean | undefined;
}

export async function listEpisodeNumbers(
  tx: Tx,
  filter: EpisodeFilter,
  page?: Page,
): Promise<number[]> {
  const locations = await listEpisodePositions(tx, filter, page);
  return locations.map(([, number]) => number);
}

export async function listEpisodePositions(
  tx: Tx,
  filter: EpisodeFilter,
  page?: Page,
): Promise<[time: string, number: number][]> {
  const newest = filter.deleted === true ? episodes.deletedAt : episodes.createdAt;
  const query = tx
    .select({ time: newest, id: episodes.id })
    .from(episodes)
    .where(and(episodeCondition(filter), isBelow([newest, episodes.id], page?.after)))
    .orderBy(desc(newest), desc(episodes.id));
  const rows = page === undefined ? await query : await query.limit(page.limit).offset(page.offset);
  return rows.map(({ time, id }) => [time ?? "", id]);
}

export function episodeCondition(filter: EpisodeFilter): SQL | undefined {
  return and(
    filter.deleted === true ? isNotNull(episodes.deletedAt) : isNull(episodes.deletedAt),
    filter.type === undefined ? undefined : eq(episodes.episodeType, filter.type),
    filter.pending === true ? eq(episodes.processed, false) : undefined,
    filter.topicId === undefined ? undefined : eq(episodes.topicId, filter.topicId),
    filter.passes,
  );
}

export async function loadEpisodes(tx: Tx, numbers: readonly number[]): Promise<EpisodeRecord[]> {
  if (numbers.length === 0) return [];
  const values = { numbers: listOfValues(numbers) };
  const [rows, mentioned, labels, linkRows, claimRows] = await settleAll(
    Promise.resolve(episodesByNumber(tx).execute(values)),
    loadEntitiesOfEpisodes(tx, numbers),
    loadLabelsOfEpisodes(tx, numbers),
    Promise.resolve(linksByNumber(tx).execute(values)),
    Promise.resolve(claimsByNumber(tx).execute(values)),
  );
  const byNumber = indexBy(rows, (row) => row.id);
  const mentions = groupBy(mentioned, (row) => row.episodeId);
  const links = groupBy(linkRows, (row) => row.episodeId);
  const claims = indexBy(claimRows, (row) => row.episodeId);
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    if (row === undefined) return [];
    const claim = claims.get(number);
    const linked = (kind: "spec" | "depends_on") =>
      (links.get(number) ?? [])
        .filter((link) => link.kind === kind)
        .map((link) => episodeId(link.targetId));
    return {
      id: episodeId(row.id),
      content: row.content,
      episode_type: row.episodeType,
      entities: (mentions.get(number) ?? []).map(({ entity }) => entityId(entity)),
      labels: labels.get(number) ?? [],
      metadata: row.metadata,
      source_type: row.sourceType,
      asserted_by: row.assertedBy,
      source_ref: row.sourceRef,
      session: row.session,
      occurred_at: row.occurredAt,
      plan_id: row.planId === null ? null : episodeId(row.planId),
      spec_ids: linked("spec"),
      depends_on: linked("depends_on"),
      priority: row.priority as (typeof PRIORITIES)[number] | null,
      topic_id: row.topicId,
      processed: row.processed,
      fact_id: claim === undefined ? null : factId(claim.id),
      ...(claim?.validTo != null && { valid_to: claim.validTo }),
      ...(claim?.replacedBy != null && { replaced_by: episodeId(claim.replacedBy) }),
      created_at: row.createdAt,
      updated_at: row.updatedAt,
      deleted_at: row.deletedAt,
    };
  });
}

export async function loadEpisode(tx: Tx, number: number): Promise<EpisodeRecord> {
  const [record] = await loadEpisodes(tx, [number]);
  if (record === undefined) throw notFound(`There is no episode ${episodeId(number)}`);
  return record;
}

const episodesByNumber = preparedQuery((tx) =>
  tx
    .select()
    .from(episodes)
    .where(sql`${episodes.id} in (${numbersParameter("numbers")})`)
    .prepare(),
);

const linksByNumber = preparedQuery((tx) =>
  tx
    .select()
    .from(episodeLinks)
    .where(sql`${episodeLinks.episodeId} in (${numbersParameter("numbers")})`)
    .orderBy(asc(episodeLinks.position))
    .prepare(),
);

const successors = alias(facts, "successors");

const claimsByNumber = preparedQuery((tx) =>
  tx
    .select({
      id: facts.id,
      episodeId: facts.episodeId,
      validTo: facts.validTo,
      replacedBy: successors.episodeId,
    })
    .from(facts)
    .leftJoin(successors, eq(successors.id, facts.supersededBy))
    .where(sql`${facts.episodeId} in (${numbersParameter("numbers")})`)
    .prepare(),
);

export async function setEpisodeLinks(
  tx: Tx,
  link: { episode: number; kind: "spec" | "depends_on" },
  targets: readonly number[],
): Promise<void> {
  await tx
    .delete(episodeLinks)
    .where(and(eq(episodeLinks.episodeId, link.episode), eq(episodeLinks.kind, link.kind)));
  for (const [position, targetId] of targets.entries()) {
    await tx
      .insert(episodeLinks)
      .values({ episodeId: link.episode, kind: link.kind, targetId, position });
  }
}

export async function hasEpisodesOfType(tx: Tx, type: string): Promise<boolean> {
  const [row] = await tx
    .select({ one: sql`1` })
    .from(episodes)
    .where(eq(episodes.episodeType, type))
    .limit(1);
  return row !== undefined;
}

/** Counts episodes, from stored totals if the filter only has types, states and topics. */
export async function countEpisodes(tx: Tx, filter: EpisodeFilter): Promise<number> {
  return (await countByTotals(tx, filter)) ?? countRows(tx, filter);
}

async function countByTotals(tx: Tx, filter: EpisodeFilter): Promise<number | undefined> {
  const { type, passes, topicId, deleted = false, pending = false } = filter;
  if (passes !== undefined) return undefined;
  if (topicId !== undefined) {
    if (type !== undefined || deleted || pending) return undefined;
    return sumTotals(tx, { kinds: ["episodes_of_topic"], names: [topicId] });
  }
  if (deleted && pending) return undefined;
  const names = type === undefined ? undefined : [type];
  const states = deleted ? ["deleted"] : pending ? ["pending"] : ["pending", "processed"];
  const totals = await loadTotals(tx, { kinds: ["episodes"], names });
  return addTotals(totals.filter(({ part }) => states.includes(part)));
}

async function countRows(tx: Tx, filter: EpisodeFilter): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(episodes).where(episodeCondition(filter));
  return row?.total ?? 0;
}
