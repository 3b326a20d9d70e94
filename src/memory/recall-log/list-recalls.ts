import { and, asc, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { groupBy } from "../../shared/collections.ts";
import { isBelow, type Page } from "../context/page-cursor.ts";
import { textOfItems } from "../listing/item-text.ts";
import type { RecallNote } from "./recall-log.schema.ts";
import { type RecallWay, recalledItems, recalls } from "./recall-log.table.ts";

export interface RecallFilter {
  readonly session?: string | undefined;
  readonly client?: string | undefined;
  readonly way?: RecallWay | undefined;
  readonly item?: string | undefined;
  readonly text?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly empty?: boolean | undefined;
  readonly askedBy?: string | undefined;
}

export function recallsWhere(filter: RecallFilter): SQL | undefined {
  const { session, client, way, item, text, since, until, empty, askedBy } = filter;
  return and(
    session === undefined ? undefined : eq(recalls.session, session),
    client === undefined ? undefined : eq(recalls.client, client),
    way === undefined ? undefined : eq(recalls.way, way),
    askedBy === undefined ? undefined : eq(recalls.askedBy, askedBy),
    since === undefined ? undefined : sql`${recalls.at} >= ${since}`,
    until === undefined ? undefined : sql`${recalls.at} <= ${until}`,
    empty === undefined
      ? undefined
      : sql`(${recalls.given} = 0) = ${sql.raw(empty ? "(1 = 1)" : "(1 = 0)")}`,
    text === undefined
      ? undefined
      : contains(sql`lower(coalesce(${recalls.question}, ''))`, sql`${text.toLowerCase()}`),
    item === undefined
      ? undefined
      : sql`exists (select 1 from ${recalledItems} where ${recalledItems.recallId} = ${recalls.id} and ${recalledItems.item} = ${item})`,
  );
}

export function listRecalls(tx: Tx, where: SQL | undefined, page: Page | undefined) {
  const { limit = Number.MAX_SAFE_INTEGER, offset = 0, after } = page ?? {};
  return tx
    .select()
    .from(recalls)
    .where(and(where, isBelow([recalls.at, recalls.id], after)))
    .orderBy(desc(recalls.at), desc(recalls.id))
    .limit(limit)
    .offset(offset);
}

export async function countRecalls(tx: Tx, where: SQL | undefined): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(recalls).where(where);
  return row?.total ?? 0;
}

export async function toRecallNotes(
  tx: Tx,
  rows: readonly (typeof recalls.$inferSelect)[],
): Promise<RecallNote[]> {
  const items = await loadInBatches(
    rows.map(({ id }) => id),
    (slice) =>
      tx
        .select()
        .from(recalledItems)
        .where(inArray(recalledItems.recallId, slice))
        .orderBy(asc(recalledItems.recallId), asc(recalledItems.rank)),
  );
  const texts = await textOfItems(tx, new Set(items.map(({ item }) => item)));
  const byRecall = groupBy(items, ({ recallId }) => recallId);
  return rows.map((row) => ({
    ...{ id: row.id, at: row.at, way: row.way, client: row.client, session: row.session },
    ...{ by: row.askedBy, question: row.question, asked: row.asked },
    ...{ given: row.given, cut: row.cut },
    items: (byRecall.get(row.id) ?? []).map(({ item, rank, score, isCut }) => ({
      ...{ id: item, rank, score, cut: isCut },
      type: texts.get(item)?.type ?? null,
      text: texts.get(item)?.text ?? null,
    })),
  }));
}
