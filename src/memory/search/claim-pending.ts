import { desc, sql } from "drizzle-orm";
import { claim, listOfRows, rowSet, type Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { pendingVectors } from "./search.table.ts";

export interface PendingItem {
  readonly kind: IndexedKind;
  readonly itemId: number;
  readonly revision: number;
}

/**
 * Number of waiting items are looked through for ones that no other process works on. No process
 * claims nearly
 * as many.
 */
const MAX_LOOKED_AT = 10_000;

/**
 * Items that wait for a vector and that no other process works on, most urgent first, and of those the newest:
 * what was said last is asked for first. Inside `Database.claim` they then belong to this process.
 */
export async function claimPending(
  tx: Tx,
  { size, onlyUrgent }: { readonly size: number; readonly onlyUrgent: boolean },
): Promise<PendingItem[]> {
  const urgent = await claimNewest(tx, size, 0);
  if (onlyUrgent || urgent.length === size) return urgent;
  return [...urgent, ...(await claimNewest(tx, size - urgent.length, 1))];
}

async function claimNewest(tx: Tx, size: number, canWait: 0 | 1): Promise<PendingItem[]> {
  const claimed = await tx.all<{ kind: IndexedKind; item_id: number }>(sql`
    select kind, item_id from (
      select kind, item_id from pending_vectors where can_wait = ${canWait}
      order by item_id desc limit ${MAX_LOOKED_AT}
    ) as waiting where ${claim(sql`kind`, sql`item_id`)} limit ${size}`);
  if (claimed.length === 0) return [];
  const rows = listOfRows(claimed.map(({ kind, item_id }) => [kind, item_id]));
  // The process that held a claim earlier may have made the vector since this statement began.
  return tx
    .select()
    .from(pendingVectors)
    .where(
      sql`(${pendingVectors.kind}, ${pendingVectors.itemId}) in (${rowSet(rows, { kind: "text", item_id: "number" })})`,
    )
    .orderBy(desc(pendingVectors.itemId));
}
