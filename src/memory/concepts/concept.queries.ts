import { and, asc, count, desc, eq, inArray, isNotNull, isNull, type SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches, settleAll } from "../../shared/async.ts";
import { groupBy, indexBy } from "../../shared/collections.ts";
import { notFound } from "../../shared/errors.ts";
import { isBelow, type Page } from "../context/page-cursor.ts";
import { episodes } from "../episodes/episode.table.ts";
import { parseConceptId } from "../input/item-ids.ts";
import { loadLabelsOfConcepts } from "../labels/label.queries.ts";
import { addTotals, loadTotals, sumTotals } from "../totals.ts";
import type { ConceptRecord } from "./concept.schema.ts";
import { FACT_CLUSTER } from "./concept.schema.ts";
import { conceptSources, concepts, relations } from "./concept.table.ts";

export type ConceptRow = typeof concepts.$inferSelect;

export async function requireConcept(tx: Tx, id: string, field: string): Promise<ConceptRow> {
  const row = await findConcept(tx, id, field);
  if (row.deletedAt === null) return row;
  if (row.mergedInto === null) {
    throw notFound(`${field}: concept ${id} is deleted; restore it first`);
  }
  const [into] = await tx
    .select({ id: concepts.publicId })
    .from(concepts)
    .where(eq(concepts.id, row.mergedInto));
  throw notFound(
    `${field}: concept ${id} was merged into ${into?.id}; name that one, or restore ${id} first`,
  );
}

export async function findConcept(tx: Tx, id: string, field: string): Promise<ConceptRow> {
  const publicId = parseConceptId(id, field);
  const [row] = await tx.select().from(concepts).where(eq(concepts.publicId, publicId));
  if (row === undefined) throw notFound(`${field}: there is no concept ${id}`);
  return row;
}

export interface ConceptFilter {
  readonly passes?: SQL | undefined;
  readonly topicId?: string | undefined;
  readonly deleted?: boolean | undefined;
}

export async function listConceptNumbers(
  tx: Tx,
  filter: ConceptFilter,
  page?: Page,
): Promise<number[]> {
  const locations = await listConceptPositions(tx, filter, page);
  return locations.map(([, number]) => number);
}

export async function listConceptPositions(
  tx: Tx,
  filter: ConceptFilter,
  page?: Page,
): Promise<[time: string, number: number][]> {
  const newest = filter.deleted === true ? concepts.deletedAt : concepts.createdAt;
  const query = tx
    .select({ time: newest, id: concepts.id })
    .from(concepts)
    .where(and(conceptCondition(filter), isBelow([newest, concepts.id], page?.after)))
    .orderBy(desc(newest), desc(concepts.id));
  const rows = page === undefined ? await query : await query.limit(page.limit).offset(page.offset);
  return rows.map(({ time, id }) => [time ?? "", id]);
}

export function conceptCondition(filter: ConceptFilter): SQL | undefined {
  return and(
    filter.deleted === true ? isNotNull(concepts.deletedAt) : isNull(concepts.deletedAt),
    filter.topicId === undefined ? undefined : eq(concepts.topicId, filter.topicId),
    filter.passes,
  );
}

export async function loadConcepts(tx: Tx, numbers: readonly number[]): Promise<ConceptRecord[]> {
  const [rows, labels, edgeRows, superseded] = await settleAll(
    loadInBatches(numbers, (slice) =>
      tx.select().from(concepts).where(inArray(concepts.id, slice)),
    ),
    loadLabelsOfConcepts(tx, numbers),
    loadRelationsFrom(tx, numbers),
    loadSupersededConcepts(tx, numbers),
  );
  const byNumber = indexBy(rows, (row) => row.id);
  const edges = groupBy(edgeRows, (edge) => edge.sourceId);
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    if (row === undefined) return [];
    return {
      id: row.publicId,
      title: row.title,
      summary: row.summary,
      confidence: row.confidence,
      type: row.type,
      tags: row.tags,
      relations: (edges.get(number) ?? []).map((edge) => ({
        type: edge.type,
        target_id: edge.targetPublicId,
        strength: edge.strength,
      })),
      labels: labels.get(number) ?? [],
      topic_id: row.topicId,
      instance_count: row.instanceCount,
      actionable: isActionable(row, superseded.has(number)),
      created_at: row.createdAt,
      updated_at: row.updatedAt,
      deleted_at: row.deletedAt,
    };
  });
}

export async function loadConcept(tx: Tx, number: number): Promise<ConceptRecord> {
  const [record] = await loadConcepts(tx, [number]);
  if (record === undefined) throw notFound(`There is no such concept`);
  return record;
}

export async function loadRelationsFrom(tx: Tx, numbers: readonly number[]) {
  return loadInBatches(numbers, (slice) =>
    tx
      .select({
        sourceId: relations.sourceId,
        targetId: relations.targetId,
        targetPublicId: concepts.publicId,
        type: relations.type,
        strength: relations.strength,
      })
      .from(relations)
      .innerJoin(concepts, and(eq(concepts.id, relations.targetId), isNull(concepts.deletedAt)))
      .where(inArray(relations.sourceId, slice))
      .orderBy(asc(relations.sourceId), asc(relations.targetId), asc(relations.type)),
  );
}

async function loadSupersededConcepts(tx: Tx, numbers: readonly number[]): Promise<Set<number>> {
  const rows = await loadInBatches(numbers, (slice) =>
    tx
      .selectDistinct({ id: relations.targetId })
      .from(relations)
      .innerJoin(concepts, and(eq(concepts.id, relations.sourceId), isNull(concepts.deletedAt)))
      .where(and(inArray(relations.targetId, slice), eq(relations.type, "supersedes"))),
  );
  return new Set(rows.map((row) => row.id));
}

export async function loadSourceEpisodes(tx: Tx, conceptNumber: number): Promise<number[]> {
  const rows = await tx
    .select({ id: episodes.id })
    .from(conceptSources)
    .innerJoin(episodes, eq(episodes.id, conceptSources.episodeId))
    .where(and(eq(conceptSources.conceptId, conceptNumber), isNull(episodes.deletedAt)))
    .orderBy(asc(episodes.id));
  return rows.map((row) => row.id);
}

export async function addSources(
  tx: Tx,
  conceptNumber: number,
  episodeNumbers: readonly number[],
): Promise<void> {
  for (const episodeId of new Set(episodeNumbers)) {
    await tx
      .insert(conceptSources)
      .values({ conceptId: conceptNumber, episodeId })
      .onConflictDoNothing();
  }
}

/** Selects concepts that are active, not superseded and not empty clusters. */
function isActionable(
  concept: {
    readonly type: string;
    readonly instanceCount: number;
    readonly deletedAt: string | null;
  },
  superseded: boolean,
): boolean {
  if (concept.deletedAt !== null || superseded) return false;
  return concept.type !== FACT_CLUSTER || concept.instanceCount > 0;
}

/** Counts concepts, from stored totals if the filter only has states and topics. */
export async function countConcepts(tx: Tx, filter: ConceptFilter): Promise<number> {
  return (await countByTotals(tx, filter)) ?? countRows(tx, filter);
}

async function countByTotals(tx: Tx, filter: ConceptFilter): Promise<number | undefined> {
  const { passes, topicId, deleted = false } = filter;
  if (passes !== undefined) return undefined;
  if (topicId === undefined) {
    const totals = await loadTotals(tx, { kinds: ["concepts"] });
    return addTotals(totals.filter(({ part }) => (part === "deleted") === deleted));
  }
  return deleted ? undefined : sumTotals(tx, { kinds: ["concepts_of_topic"], names: [topicId] });
}

async function countRows(tx: Tx, filter: ConceptFilter): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(concepts).where(conceptCondition(filter));
  return row?.total ?? 0;
}

/**
 * Loads the top actionable concepts by confidence, then instance count, then age, oldest first.
 * `passes` is a condition on concept rows.
 */
export async function loadStrongestConcepts(
  tx: Tx,
  count: number,
  passes?: SQL,
): Promise<ConceptRecord[]> {
  const strongest: ConceptRecord[] = [];
  const batch = Math.max(50, count);
  for (let offset = 0; strongest.length < count; offset += batch) {
    const rows = await tx
      .select({ id: concepts.id })
      .from(concepts)
      .where(and(isNull(concepts.deletedAt), passes))
      .orderBy(desc(concepts.confidence), desc(concepts.instanceCount), asc(concepts.id))
      .limit(batch)
      .offset(offset);
    if (rows.length === 0) break;
    const records = await loadConcepts(
      tx,
      rows.map((row) => row.id),
    );
    strongest.push(...records.filter((record) => record.actionable));
  }
  return strongest.slice(0, count);
}

export async function loadStrongestOfTopic(
  tx: Tx,
  topicId: string,
  count: number,
): Promise<ConceptRecord[]> {
  const { id, confidence, instanceCount, createdAt, deletedAt } = concepts;
  const rows = await tx
    .select({ id })
    .from(concepts)
    .where(and(eq(concepts.topicId, topicId), isNull(deletedAt)))
    .orderBy(desc(confidence), desc(instanceCount), desc(createdAt), desc(id))
    .limit(count);
  return loadConcepts(
    tx,
    rows.map((row) => row.id),
  );
}
