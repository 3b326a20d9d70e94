import type { Tx } from "../tx.ts";
import type { Connection } from "./open-connection.ts";

/**
 * Lets `body` write the tables behind virtual tables, which SQLite otherwise guards; for mending
 * them alone.
 *
 * The connection stays unguarded: whenever that changes, SQLite compiles every statement of the
 * connection anew, which took four tenths of the time of an edited text. The guard is against the
 * SQL of strangers, and no connection here runs any; who can write the file can write these tables.
 */
export async function withShadowTables<T>(tx: Tx, body: () => Promise<T>): Promise<T> {
  const { $client: connection } = tx as Tx & { readonly $client: Connection };
  connection.unsafeMode(true);
  return await body();
}
