import { sql } from "drizzle-orm";
import type { Tx } from "./tx.ts";

/** References between rows need to hold only at the end of this transaction. */
export async function deferReferences(tx: Tx): Promise<void> {
  await tx.run(sql`pragma defer_foreign_keys = on`);
}
