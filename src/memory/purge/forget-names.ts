import { and, eq, inArray, notInArray, or, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { changes } from "../events/change.table.ts";
import { eventItems, events } from "../events/event.table.ts";

/**
 * Removes the names of users and sessions from changes to purged items, unless other changes still
 * need them. The surface replaces the author, as for unknown authors.
 */
export async function forgetNames(
  tx: Tx,
  ids: readonly string[],
  names: ReadonlySet<string>,
): Promise<void> {
  if (names.size === 0) return;
  const rows = await tx
    .selectDistinct({ id: events.changeId })
    .from(eventItems)
    .innerJoin(events, eq(events.seq, eventItems.seq))
    .where(inArray(eventItems.item, [...ids]));
  const own = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  if (own.length === 0) return;
  for (const name of names) {
    if (await isUsed(tx, name, own)) continue;
    const ofOwn = inArray(changes.id, own);
    await tx
      .update(changes)
      .set({ author: sql`${changes.surface}` })
      .where(and(ofOwn, eq(changes.author, name)));
    await tx
      .update(changes)
      .set({ session: null })
      .where(and(ofOwn, eq(changes.session, name)));
  }
}

async function isUsed(tx: Tx, name: string, own: readonly number[]): Promise<boolean> {
  const one = { one: sql`1` };
  const uses = [
    tx
      .select(one)
      .from(episodes)
      .where(or(eq(episodes.assertedBy, name), eq(episodes.session, name)))
      .limit(1),
    tx.select(one).from(conflicts).where(eq(conflicts.resolvedBy, name)).limit(1),
    tx
      .select(one)
      .from(changes)
      .where(
        and(
          notInArray(changes.id, [...own]),
          or(eq(changes.author, name), eq(changes.session, name)),
        ),
      )
      .limit(1),
  ];
  for (const use of uses) if ((await use).length > 0) return true;
  return false;
}
