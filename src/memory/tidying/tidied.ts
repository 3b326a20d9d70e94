import { eq } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { meta } from "../context/meta.table.ts";

/**
 * Whether this was done before, from now on yes. It is no change of the memory: what somebody took back
 * is not done again by itself.
 */
export async function isFirstTime(tx: Tx, what: string): Promise<boolean> {
  const key = `tidied:${what}`;
  const [row] = await tx.select().from(meta).where(eq(meta.key, key));
  if (row !== undefined) return false;
  await tx.insert(meta).values({ key, value: "1" });
  return true;
}
