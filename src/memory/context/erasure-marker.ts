import { and, eq, sql } from "drizzle-orm";
import { preparedQuery, type Tx } from "../../database/index.ts";
import { meta } from "./meta.table.ts";

const ERASING_KEY = "erasing";

/**
 * Inserts a row that exists from a purge's commit until the deleted text is erased from the file.
 * Any process that finds it completes the erasure. Its value is the number of the latest such
 * change.
 */
export async function setErasingMark(tx: Tx, change: number): Promise<void> {
  const value = String(change);
  await tx
    .insert(meta)
    .values({ key: ERASING_KEY, value })
    .onConflictDoUpdate({ target: meta.key, set: { value } });
}

export async function readErasingMark(tx: Tx): Promise<string | undefined> {
  const [row] = await markRow(tx).execute();
  return row?.value;
}

export const ERASING_MARK = sql<string | null>`(select value from meta where key = ${ERASING_KEY})`;

const markRow = preparedQuery((tx) =>
  tx.select().from(meta).where(eq(meta.key, ERASING_KEY)).prepare(),
);

export async function removeErasingMark(tx: Tx, value: string): Promise<void> {
  await tx.delete(meta).where(and(eq(meta.key, ERASING_KEY), eq(meta.value, value)));
}
