import type { ClientBase } from "pg";
import { isConnectionLoss, postgresCodeOf } from "./postgres-error.ts";

const ONLY_READS = "25006";

/**
 * Rolls back the failed transaction. Returns undefined if the connection can be used again, otherwise the
 * error.
 */
export async function failureOfRollback(client: ClientBase, cause: unknown): Promise<unknown> {
  if (isConnectionLoss(cause) || postgresCodeOf(cause) === ONLY_READS) return cause;
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error;
  }
}
