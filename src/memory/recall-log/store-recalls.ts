import { desc, inArray, lt, type SQL, sql } from "drizzle-orm";
import { insertRows, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { purgedItems } from "../context/meta.table.ts";
import type { LoggedRecall } from "./logged-recall.ts";
import { recalledItems, recalls } from "./recall-log.table.ts";

export type DatedRecall = LoggedRecall & { readonly id: string; readonly at: string };

export interface RecallLogBounds {
  readonly recalls: number;
  readonly days: number;
}

const MAX_ITEMS = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

const insertRecalls = insertRows(recalls);
const insertItems = insertRows(recalledItems);

export async function storeRecalls(
  tx: Tx,
  batch: readonly DatedRecall[],
  { recalls: limit, days, now }: RecallLogBounds & { readonly now: Date },
): Promise<void> {
  const retained = await withoutPurged(tx, batch.slice(-limit));
  await insertRecalls(tx, retained.map(createRow));
  await insertItems(tx, retained.flatMap(itemRows));
  const oldest = toTimestamp(new Date(now.getTime() - days * DAY_MS));
  await forgetWhere(tx, lt(recalls.at, oldest));
  const [last] = await tx
    .select({ at: recalls.at, id: recalls.id })
    .from(recalls)
    .orderBy(desc(recalls.at), desc(recalls.id))
    .limit(1)
    .offset(limit);
  if (last === undefined) return;
  await forgetWhere(tx, sql`(${recalls.at}, ${recalls.id}) <= (${last.at}, ${last.id})`);
}

async function forgetWhere(tx: Tx, condition: SQL): Promise<void> {
  const removed = tx.select({ id: recalls.id }).from(recalls).where(condition);
  await tx.delete(recalledItems).where(inArray(recalledItems.recallId, removed));
  await tx.delete(recalls).where(condition);
}

async function withoutPurged(tx: Tx, batch: readonly DatedRecall[]): Promise<DatedRecall[]> {
  const ids = [...new Set(batch.flatMap(({ items }) => items.map(({ id }) => id)))];
  const rows = await loadInBatches(ids, (slice) =>
    tx.select({ item: purgedItems.item }).from(purgedItems).where(inArray(purgedItems.item, slice)),
  );
  const purged = new Set(rows.map(({ item }) => item));
  if (purged.size === 0) return [...batch];
  return batch.map((recall) => {
    const items = recall.items.filter(({ id }) => !purged.has(id));
    if (items.length === recall.items.length) return recall;
    return { ...recall, items, question: undefined, asked: undefined };
  });
}

function createRow(recall: DatedRecall): typeof recalls.$inferInsert {
  const cut = recall.items.filter(({ isCut }) => isCut === true).length;
  return {
    id: recall.id,
    at: recall.at,
    way: recall.way,
    client: recall.client ?? null,
    session: recall.session ?? null,
    askedBy: recall.askedBy ?? null,
    question: recall.question ?? null,
    asked: recall.asked ?? null,
    given: recall.items.length - cut,
    cut,
  };
}

function itemRows({ id, items }: DatedRecall): (typeof recalledItems.$inferInsert)[] {
  return items.slice(0, MAX_ITEMS).map((item, index) => ({
    recallId: id,
    rank: index + 1,
    item: item.id,
    score: item.score ?? null,
    isCut: item.isCut === true,
  }));
}
