import { sql } from "drizzle-orm";
import { isCairnError } from "../shared/errors.ts";
import { isReadingConcurrently } from "./concurrent-reads.ts";
import { isConstraintError } from "./constraint-error.ts";
import type { Tx } from "./database.ts";
import { isConnectionLoss } from "./postgres/postgres-error.ts";

/**
 * Runs `body` and reverts its writes if it rejects with a CairnError or a constraint violation; the
 * transaction continues. Any other failure ends the transaction, which may already have ended (as
 * with a full disk).
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
 * Runs statements that may fail, for example at a constraint or damaged table, so that the
 * transaction can continue. SQLite needs no savepoint; concurrent reads are rerun separately if one
 * fails.
 */
export async function inSavepointIfPostgres<T>(tx: Tx, body: () => PromiseLike<T>): Promise<T> {
  if (tx.engine === "sqlite" || isReadingConcurrently(tx)) return body();
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
