import { sql } from "drizzle-orm";
import { isCairnError } from "../shared/errors.ts";
import { isConstraintError } from "./constraint-error.ts";
import type { Tx } from "./database.ts";
import { isConnectionLoss } from "./postgres/postgres-error.ts";
import { isSideBySide } from "./side-by-side.ts";

/**
 * Runs `body` and undoes its writes if it rejects with a CairnError or because a row is refused; the
 * transaction goes on. Any other failure ends the transaction and may have done so already (a full disk
 * does), so nothing is undone that would hide it.
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
 * Runs statements that may fail, such as for a refused row or a damaged table, so that the transaction can go
 * on afterwards. On SQLite it does so by itself, and readings side by side
 * are run again apart where any of them fails.
 */
export async function recoverably<T>(tx: Tx, body: () => PromiseLike<T>): Promise<T> {
  if (tx.engine === "sqlite" || isSideBySide(tx)) return body();
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
