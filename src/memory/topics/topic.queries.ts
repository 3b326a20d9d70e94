import { asc, count, eq } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import { concepts } from "../concepts/concept.table.ts";
import { isAbove, type Page } from "../context/page-cursor.ts";
import { episodes } from "../episodes/episode.table.ts";
import { loadTotals, sumTotals } from "../totals.ts";
import type { TopicRecord } from "./topic.schema.ts";
import { topics } from "./topic.table.ts";
import { topicSlug } from "./topic-slug.ts";

export type TopicRow = typeof topics.$inferSelect;

export async function requireTopic(tx: Tx, idOrName: string, field: string): Promise<TopicRow> {
  const slug = topicSlug(idOrName);
  const [row] = await tx.select().from(topics).where(eq(topics.id, slug));
  if (row === undefined) {
    throw notFound(
      `${field}: there is no topic "${idOrName}"; create it first, or choose an existing one`,
    );
  }
  return row;
}

export async function insertTopic(
  tx: Tx,
  topic: { name: string; description: string },
  now: string,
): Promise<TopicRow> {
  const id = topicSlug(topic.name);
  if (id === "") throw invalidInput(`name: "${topic.name}" contains no letter or digit`);
  const [row] = await tx
    .insert(topics)
    .values({ ...topic, id, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning();
  if (row === undefined) throw stateConflict(`name: the topic "${id}" exists already`);
  return row;
}

export async function listTopics(tx: Tx, page?: Page): Promise<TopicRow[]> {
  const query = tx
    .select()
    .from(topics)
    .where(isAbove([topics.name, topics.id], page?.after))
    .orderBy(asc(topics.name), asc(topics.id));
  return page === undefined ? query : query.limit(page.limit).offset(page.offset);
}

export function countTopics(tx: Tx): Promise<number> {
  return sumTotals(tx, { kinds: ["topics"] });
}

export async function countTopicUses(tx: Tx, id: string): Promise<number> {
  const [ofEpisodes] = await tx
    .select({ total: count() })
    .from(episodes)
    .where(eq(episodes.topicId, id));
  const [ofConcepts] = await tx
    .select({ total: count() })
    .from(concepts)
    .where(eq(concepts.topicId, id));
  return (ofEpisodes?.total ?? 0) + (ofConcepts?.total ?? 0);
}

export async function toTopicRecords(tx: Tx, rows: readonly TopicRow[]): Promise<TopicRecord[]> {
  const ids = rows.map(({ id }) => id);
  const ofEpisodes = await countActive(tx, "episodes_of_topic", ids);
  const ofConcepts = await countActive(tx, "concepts_of_topic", ids);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    episode_count: ofEpisodes.get(row.id) ?? 0,
    concept_count: ofConcepts.get(row.id) ?? 0,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }));
}

export async function toTopicRecord(tx: Tx, row: TopicRow): Promise<TopicRecord> {
  const [record] = await toTopicRecords(tx, [row]);
  if (record === undefined) throw new Error("A topic has one record.");
  return record;
}

async function countActive(
  tx: Tx,
  kind: "episodes_of_topic" | "concepts_of_topic",
  names: readonly string[],
): Promise<Map<string, number>> {
  const totals = await loadTotals(tx, { kinds: [kind], names });
  return new Map(totals.map(({ name, total }) => [name, total]));
}
