import type { Tx } from "../tx.ts";
import type { Connection } from "./open-connection.ts";

/**
 * Lets `body` write the tables behind virtual tables, which SQLite otherwise guards; for mending
 * them alone.
 */
export async function withShadowTables<T>(tx: Tx, body: () => Promise<T>): Promise<T> {
  const { $client: connection } = tx as Tx & { readonly $client: Connection };
  connection.unsafeMode(true);
  try {
    return await body();
  } finally {
    connection.unsafeMode(false);
  }
}
