import { eq } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { meta } from "../context/meta.table.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const keyOf = (rule: string) => `retained:${rule}`;

/** Whether a day has passed since the rule was followed last, by whichever server. */
export async function isRuleDue(tx: Tx, rule: string, now: string): Promise<boolean> {
  const [row] = await tx
    .select()
    .from(meta)
    .where(eq(meta.key, keyOf(rule)));
  return row === undefined || Date.parse(now) - Date.parse(row.value) >= DAY_MS;
}

/** The mark is no change of the memory: an undo does not have the rule followed again at once. */
export async function markFollowed(tx: Tx, rule: string, now: string): Promise<void> {
  await tx
    .insert(meta)
    .values({ key: keyOf(rule), value: now })
    .onConflictDoUpdate({ target: meta.key, set: { value: now } });
}
