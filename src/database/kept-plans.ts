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

/**
 * Runs work on thousands of rows. The server plans each of its statements for its values: a plan made when the
 * tables were small takes minutes.
 */
export async function planAnew<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  if (tx.engine !== "postgres") return work();
  await tx.run(sql`set local plan_cache_mode = force_custom_plan`);
  const result = await work();
  await tx.run(sql`set local plan_cache_mode = auto`);
  return result;
}
