import { sql } from "drizzle-orm";
import { isCairnError } from "../kernel/errors.ts";
import { isConstraintError } from "./constraint-error.ts";
import { isConnectionLoss } from "./postgres/postgres-error.ts";
import type { Tx } from "./tx.ts";

/**
 * Runs `body` so that what it wrote is undone when it rejects with a CairnError or because
 * a row is refused; the transaction goes on. Any other failure ends the transaction anyway, and may have ended it already (a full
 * disk does), so nothing is undone here that would hide it.
 */
export async function inSavepoint<T>(tx: Tx, body: () => Promise<T>): Promise<T> {
  await tx.run(sql`savepoint step`);
  try {
    const result = await body();
    await tx.run(sql`release savepoint step`);
    return result;
  } catch (error) {
    if (isCairnError(error) || isConstraintError(error)) {
      await tx.run(sql`rollback to savepoint step`);
      await tx.run(sql`release savepoint step`);
    }
    throw error;
  }
}

/**
 * Runs what may fail, after which the transaction goes on: a row that is refused, a table that is
 * damaged. SQLite's goes on by itself.
 */
export async function recoverably<T>(tx: Tx, body: () => PromiseLike<T>): Promise<T> {
  if (tx.engine === "sqlite") return body();
  await tx.run(sql`savepoint attempt`);
  try {
    const result = await body();
    await tx.run(sql`release savepoint attempt`);
    return result;
  } catch (error) {
    if (!isConnectionLoss(error)) {
      await tx.run(sql`rollback to savepoint attempt`);
      await tx.run(sql`release savepoint attempt`);
    }
    throw error;
  }
}
