import { sql } from "drizzle-orm";
import type { Tx } from "./database.ts";

/**
 * Makes the server use generic plans for the following statements of this transaction: planning
 * often takes longer than execution. For lookups whose best plan does not depend on the values.
 * SQLite always caches plans.
 */
export async function enableGenericPlans(tx: Tx): Promise<void> {
  if (tx.engine === "postgres") await tx.run(sql`set local plan_cache_mode = force_generic_plan`);
}

/** Plans each statement for its values: for thousands of rows a generic plan can take minutes. */
export async function withPlanPerValue<Result>(
  tx: Tx,
  work: () => Promise<Result>,
): Promise<Result> {
  if (tx.engine !== "postgres") return work();
  await tx.run(sql`set local plan_cache_mode = force_custom_plan`);
  const result = await work();
  await tx.run(sql`set local plan_cache_mode = auto`);
  return result;
}
