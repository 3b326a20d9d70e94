import { and, eq, gte, inArray, lt, or, type SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { notFound } from "../../shared/errors.ts";
import { isNumbered } from "../../shared/ids.ts";
import { concepts } from "../concepts/concept.table.ts";
import { entityId, findEntity } from "../entities/entity.queries.ts";
import { rowChanges } from "../events/change.table.ts";
import { eventItems } from "../events/event.table.ts";
import { kindOfId } from "../input/item-ids.ts";
import { parseEntity } from "../input/parse-entity.ts";
import { topics } from "../topics/topic.table.ts";
import { topicSlug } from "../topics/topic-slug.ts";
import { itemTable, LOGGED_TABLES, type OwnerKind } from "./logged-tables.ts";

export interface HistoryItem {
  /** The id as used in events; for a label `key=value`. */
  readonly item: string;
  readonly kind: OwnerKind | "label";
  readonly key?: string | number | undefined;
}

/** Finds an item by id, even if deleted or undone. Throws not_found for an unknown id. */
export async function findItem(tx: Tx, id: string): Promise<HistoryItem> {
  const found = (await findCurrentItem(tx, id)) ?? (await findInFeed(tx, id));
  if (found !== undefined) return found;
  throw notFound(
    `id: there is no "${id}". Ids look like ep:1, fact:1, conflict:1, person:Ada, a concept's id, a topic's, or key=value for a label`,
  );
}

async function findCurrentItem(tx: Tx, id: string): Promise<HistoryItem | undefined> {
  const kind = kindOfId(id);
  if (kind === "entity") return findKnownEntity(tx, id);
  if (kind !== undefined && kind !== "concept") {
    const key = Number(id.slice(id.indexOf(":") + 1));
    const {
      table,
      key: [column],
    } = itemTable(kind);
    if (column === undefined) return undefined;
    const rows = await tx.select().from(table).where(eq(column.column, key)).limit(1);
    return rows.length === 0 ? undefined : { item: id, kind, key };
  }
  const [concept] = await tx
    .select({ key: concepts.id })
    .from(concepts)
    .where(eq(concepts.publicId, id));
  if (concept !== undefined) return { item: id, kind: "concept", key: concept.key };
  const slug = topicSlug(id);
  const [topic] = await tx.select({ key: topics.id }).from(topics).where(eq(topics.id, slug));
  return topic === undefined ? undefined : { item: topic.key, kind: "topic", key: topic.key };
}

async function findKnownEntity(tx: Tx, id: string): Promise<HistoryItem | undefined> {
  if (id.includes("=")) return undefined;
  const row = await findEntity(tx, parseEntity(id));
  return row === undefined ? undefined : { item: entityId(row), kind: "entity", key: row.id };
}

async function findInFeed(tx: Tx, id: string): Promise<HistoryItem | undefined> {
  const [row] = await tx.select().from(eventItems).where(eq(eventItems.item, id)).limit(1);
  if (row === undefined) return undefined;
  const kind = id.includes("=") ? "label" : (kindOfId(id) ?? "topic");
  const key = isNumbered(kind) ? Number(id.slice(id.indexOf(":") + 1)) : undefined;
  return { item: id, kind, key };
}

export function rowsCondition({ kind, key }: HistoryItem): SQL | undefined {
  if (key === undefined || kind === "label") return eq(rowChanges.tableName, "");
  const about = LOGGED_TABLES.filter(({ owner, field }) => owner === kind && field !== undefined);
  const first = JSON.stringify([key]).slice(0, -1);
  const own = and(
    eq(rowChanges.tableName, itemTable(kind).name),
    eq(rowChanges.rowKey, `${first}]`),
  );
  // An empty list would become `false and …`, for which SQLite reads the whole log.
  if (about.length === 0) return own;
  return or(
    own,
    and(
      inArray(
        rowChanges.tableName,
        about.map(({ name }) => name),
      ),
      gte(rowChanges.rowKey, `${first},`),
      lt(rowChanges.rowKey, `${first}-`),
    ),
  );
}
