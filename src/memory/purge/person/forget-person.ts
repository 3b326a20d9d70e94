import { and, count, eq, inArray, isNull, like, ne, or, type SQL, sql } from "drizzle-orm";
import { contains, type Tx } from "../../../database/index.ts";
import { loadInBatches } from "../../../shared/async.ts";
import { conflicts } from "../../conflicts/conflict.table.ts";
import type { WriteContext } from "../../context/write-context.ts";
import { entityRelations } from "../../entities/entity.table.ts";
import { changes, rowChanges } from "../../events/change.table.ts";
import { imageOf } from "../../history/describe-rows.ts";
import { proposals } from "../../proposals/proposal.table.ts";
import { recalledItems, recalls } from "../../recall-log/recall-log.table.ts";
import { clearNotes } from "../clear-notes.ts";

/** Names shorter than this occur in too many questions by chance. */
const SHORTEST_NAME = 4;

/**
 * Removes from the recall log what the person asked, whether under their name or in their sessions
 * without a name. Returns the number of recalls removed.
 */
export async function forgetRecallsOf(
  tx: Tx,
  name: string | undefined,
  sessions: ReadonlySet<string>,
): Promise<number> {
  const rows = await loadInBatches([...sessions], (slice) =>
    tx
      .select({ id: recalls.id })
      .from(recalls)
      .where(and(inArray(recalls.session, slice), isNull(recalls.askedBy))),
  );
  if (name !== undefined) {
    rows.push(
      ...(await tx.select({ id: recalls.id }).from(recalls).where(eq(recalls.askedBy, name))),
    );
  }
  const ids = [...new Set(rows.map(({ id }) => id))];
  await loadInBatches(ids, async (slice) => {
    await tx.delete(recalledItems).where(inArray(recalledItems.recallId, slice));
    await tx.delete(recalls).where(inArray(recalls.id, slice));
    return [];
  });
  return ids.length;
}

/**
 * Removes the questions of others that mention this name. That a recall happened stays on record.
 */
export async function forgetQuestionsAbout(tx: Tx, name: string): Promise<void> {
  if (name.length < SHORTEST_NAME) return;
  const lower = sql`${name.toLowerCase()}`;
  const column = (text: SQL) => contains(sql`lower(coalesce(${text}, ''))`, lower);
  await tx
    .update(recalls)
    .set({ question: null, asked: null })
    .where(or(column(sql`${recalls.question}`), column(sql`${recalls.asked}`)));
}

/** The number of changes before this one that name the person as their author. */
export async function countAuthored(
  { tx, change }: WriteContext,
  name: string | undefined,
): Promise<number> {
  if (name === undefined) return 0;
  const [row] = await tx
    .select({ changes: count() })
    .from(changes)
    .where(and(eq(changes.author, name), ne(changes.id, await change)));
  return row?.changes ?? 0;
}

/**
 * In changes the surface replaces the person as author, whoever decided is left empty, and sessions
 * are removed.
 */
export async function forgetAuthor(
  tx: Tx,
  name: string | undefined,
  sessions: ReadonlySet<string>,
): Promise<void> {
  await loadInBatches([...sessions], async (slice) => {
    await tx.update(changes).set({ session: null }).where(inArray(changes.session, slice));
    return [];
  });
  if (name === undefined) return;
  await tx.update(conflicts).set({ resolvedBy: null }).where(eq(conflicts.resolvedBy, name));
  await tx.update(proposals).set({ decidedBy: null }).where(eq(proposals.decidedBy, name));
  await clearDecisions(tx, name);
  await tx
    .update(changes)
    .set({ author: sql`${changes.surface}` })
    .where(eq(changes.author, name));
}

/** Removes the name from logged rows as well, including those that this change itself logged. */
async function clearDecisions(tx: Tx, name: string): Promise<void> {
  const quoted = sql`${JSON.stringify(name)}`;
  const rows = await tx
    .select()
    .from(rowChanges)
    .where(
      and(
        inArray(rowChanges.tableName, ["conflicts", "proposals"]),
        or(
          contains(sql`coalesce(${rowChanges.before}, '')`, quoted),
          contains(sql`coalesce(${rowChanges.after}, '')`, quoted),
        ),
      ),
    );
  const named = rows.filter((row) =>
    [row.before, row.after]
      .map(imageOf)
      .some((image) => image.resolved_by === name || image.decided_by === name),
  );
  await loadInBatches(
    named.map(({ seq }) => seq),
    async (slice) => {
      await clearNotes(tx, inArray(rowChanges.seq, slice));
      return [];
    },
  );
}

/** Removes what is known of an entity beyond the items that mention it. */
export async function forgetRelationsOf(tx: Tx, entity: number): Promise<void> {
  await tx
    .delete(entityRelations)
    .where(or(eq(entityRelations.sourceId, entity), eq(entityRelations.targetId, entity)));
  await clearNotes(
    tx,
    and(
      eq(rowChanges.tableName, "entity_relations"),
      or(like(rowChanges.rowKey, `[${entity},%`), like(rowChanges.rowKey, `[%,${entity},%`)),
    ),
  );
}
