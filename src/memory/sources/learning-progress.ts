import { eq, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { meta } from "../context/meta.table.ts";

const KEY_PREFIX = "learned_through:";

/** SQL expression: the last passage of a source that learning has processed. */
export const LEARNED_THROUGH = sql<number | null>`(select cast(value as integer) from meta
  where key = ${sql.raw(`'${KEY_PREFIX}'`)} || sources.id)`;

export async function learnedThrough(tx: Tx, source: number, passage: number): Promise<void> {
  const key = `${KEY_PREFIX}${source}`;
  const [row] = await tx.select().from(meta).where(eq(meta.key, key));
  if (row !== undefined && Number(row.value) >= passage) return;
  const value = String(passage);
  await tx.insert(meta).values({ key, value }).onConflictDoUpdate({
    target: meta.key,
    set: { value },
  });
}
