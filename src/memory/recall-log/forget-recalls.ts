import { inArray, type SQL, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { recalledItems, recalls } from "./recall-log.table.ts";

const MIN_TEXT_CHARACTERS = 8;
const MIN_QUERY_CHARACTERS = 4;

/** Removes purged items from the log, and the queries that found them. */
export async function forgetRecalled(tx: Tx, items: readonly string[]): Promise<void> {
  await loadInBatches([...items], async (slice) => {
    const found = tx
      .select({ id: recalledItems.recallId })
      .from(recalledItems)
      .where(inArray(recalledItems.item, slice));
    await forgetQuestions(tx, inArray(recalls.id, found));
    await tx.delete(recalledItems).where(inArray(recalledItems.item, slice));
    return [];
  });
}

export async function forgetQueries(tx: Tx, texts: Iterable<string>): Promise<void> {
  for (const text of texts) {
    const message = text.trim();
    if (message.length < MIN_TEXT_CHARACTERS) continue;
    const question = sql`coalesce(${recalls.question}, '')`;
    const query = sql`coalesce(${recalls.asked}, '')`;
    const inJson = JSON.stringify(message).slice(1, -1);
    const isPart = sql`(length(${question}) >= ${MIN_QUERY_CHARACTERS} and ${contains(sql`${message}`, question)})`;
    const conditions = [
      contains(question, sql`${message}`),
      contains(query, sql`${inJson}`),
      isPart,
    ];
    await forgetQuestions(tx, sql`(${sql.join(conditions, sql` or `)})`);
  }
}

async function forgetQuestions(tx: Tx, where: SQL): Promise<void> {
  await tx.update(recalls).set({ question: null, asked: null }).where(where);
}
