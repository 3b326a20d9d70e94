import type { Connection } from "./open-connection.ts";

/** A read that worked around damage has its answer, but SQLite may still refuse to end its transaction. */
export function endRead(connection: Connection): void {
  try {
    connection.exec("COMMIT");
  } catch {
    endTransaction(connection);
  }
}

/** The original error is reported; a second one from ending the transaction would add nothing. */
export function endTransaction(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec("ROLLBACK");
  } catch {
    // A damaged file fails here again.
  }
}
