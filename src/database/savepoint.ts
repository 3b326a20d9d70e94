import { sql } from "drizzle-orm";
import { isCairnError } from "../kernel/errors.ts";
import type { Tx } from "./tx.ts";

/**
 * Runs `body` so that what it wrote is undone when it rejects with a CairnError; the transaction
 * goes on. Any other failure ends the transaction anyway, and may have ended it already (a full
 * disk does), so nothing is undone here that would hide it.
 */
export async function inSavepoint<T>(tx: Tx, body: () => Promise<T>): Promise<T> {
  await tx.run(sql`savepoint step`);
  try {
    const result = await body();
    await tx.run(sql`release step`);
    return result;
  } catch (error) {
    if (isCairnError(error)) {
      await tx.run(sql`rollback to step`);
      await tx.run(sql`release step`);
    }
    throw error;
  }
}
