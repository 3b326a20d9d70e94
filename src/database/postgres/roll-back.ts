import type { ClientBase } from "pg";
import { isConnectionLoss, postgresCodeOf } from "./postgres-error.ts";

/** A server that was demoted: nobody should be given its connection again. */
const ONLY_READS = "25006";

/** Ends the transaction that failed. Undefined when the connection can be used again, else why not. */
export async function failureOfRollback(client: ClientBase, cause: unknown): Promise<unknown> {
  if (isConnectionLoss(cause) || postgresCodeOf(cause) === ONLY_READS) return cause;
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error;
  }
}
