import { sql } from "drizzle-orm";
import { byEngine } from "./by-engine.ts";
import type { Tx } from "./tx.ts";

/** References between rows are only checked at the end of this transaction. */
export async function deferReferences(tx: Tx): Promise<void> {
  await tx.run(
    byEngine({
      sqlite: sql`pragma defer_foreign_keys = on`,
      postgres: sql`set constraints all deferred`,
    }),
  );
}
