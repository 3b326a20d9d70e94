import type { ClientBase } from "pg";
import { isConnectionLoss } from "./postgres-error.ts";

/** Ends the transaction that failed. Undefined when the connection can be used again, else why not. */
export async function failureOfRollback(client: ClientBase, cause: unknown): Promise<unknown> {
  if (isConnectionLoss(cause)) return cause;
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error;
  }
}
