import { sql } from "drizzle-orm";
import type { Tx } from "./database.ts";

/**
 * Has the server plan the statements that follow in this transaction once for all values, and keep the plans:
 * making a plan often takes longer than running it. For statements that read rows by number or word, whose best
 * plan does not depend on how many these are. SQLite always keeps its plans.
 */
export async function keepPlans(tx: Tx): Promise<void> {
  if (tx.engine === "postgres") await tx.run(sql`set local plan_cache_mode = force_generic_plan`);
}
