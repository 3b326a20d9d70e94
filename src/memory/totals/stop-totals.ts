import { eq } from "drizzle-orm";
import { dropTotalsTriggers, type Tx } from "../../database/index.ts";
import { meta } from "../context/meta.table.ts";

/** In `meta` while writes do not keep the totals, because these cannot be written. */
export const TOTALS_STOPPED = "totals_stopped";

/** Lets writes go on without totals, which are counted from then on until they are made anew. */
export async function stopTotals(tx: Tx): Promise<void> {
  await dropTotalsTriggers(tx);
  await tx.insert(meta).values({ key: TOTALS_STOPPED, value: "damaged" }).onConflictDoNothing();
}

export async function totalsAreKept(tx: Tx): Promise<void> {
  await tx.delete(meta).where(eq(meta.key, TOTALS_STOPPED));
}

export async function totalsAreStopped(tx: Tx): Promise<boolean> {
  return (await tx.select().from(meta).where(eq(meta.key, TOTALS_STOPPED))).length > 0;
}
