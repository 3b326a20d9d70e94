import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { notFound, stateConflict } from "../../../shared/errors.ts";
import { changes } from "../../events/change.table.ts";
import { changeId } from "../../input/item-ids.ts";
import { type ChangeRow, changesWhere } from "../load-changes.ts";

export interface UndoChoice {
  readonly change?: number | undefined;
  readonly since?: number | undefined;
  readonly author?: string | undefined;
  readonly session?: string | undefined;
  readonly surface?: string | undefined;
  readonly before?: number | undefined;
}

/** Returns the selected changes, newest first; never empty. Throws not_found or conflict. */
export async function selectChanges(tx: Tx, choice: UndoChoice): Promise<ChangeRow[]> {
  if (choice.change !== undefined) return [await requireNotUndone(tx, choice.change)];
  const { author, session, surface, since, before } = choice;
  const inForce = and(
    isNull(changes.undoneBy),
    surface === undefined ? undefined : eq(changes.surface, surface),
    changesWhere({ author, session, after: since, before }),
  );
  const found =
    since === undefined
      ? await tx
          .select()
          .from(changes)
          .where(and(inForce, isNull(changes.undoOf)))
          .orderBy(desc(changes.id))
          .limit(1)
      : removeUndonePairs(
          await tx.select().from(changes).where(inForce).orderBy(desc(changes.id)),
          since,
        );
  if (found.length > 0) return found;
  throw stateConflict("Nothing to undo: no such change is in force. `changes` lists them.");
}

export async function selectUndo(
  tx: Tx,
  { change, surface }: { change?: number | undefined; surface?: string | undefined },
): Promise<ChangeRow> {
  if (change !== undefined) {
    const row = await requireNotUndone(tx, change);
    if (row.undoOf !== null) return row;
    throw stateConflict(`change: ${changeId(change)} is not an undo; name the change of an undo`);
  }
  const rows = await tx
    .select()
    .from(changes)
    .where(
      and(
        isNull(changes.undoneBy),
        surface === undefined ? undefined : eq(changes.surface, surface),
        isNotNull(changes.undoOf),
        eq(changes.operation, "undo"),
      ),
    )
    .orderBy(desc(changes.id))
    .limit(1);
  const [row] = rows;
  if (row !== undefined) return row;
  throw stateConflict("Nothing to redo: no undo is in force.");
}

export async function requireNotUndone(tx: Tx, number: number): Promise<ChangeRow> {
  const [row] = await tx.select().from(changes).where(eq(changes.id, number));
  if (row === undefined) throw notFound(`change: there is no ${changeId(number)}`);
  if (row.undoneBy === null) return row;
  throw stateConflict(
    `change: ${changeId(number)} was undone by ${changeId(row.undoneBy)} already; \`redo ${changeId(row.undoneBy)}\` brings it back`,
  );
}

/** Removes undos within the range together with the changes they undid. */
function removeUndonePairs(rows: readonly ChangeRow[], since: number): ChangeRow[] {
  return rows.filter(({ undoOf }) => undoOf === null || undoOf.some((number) => number <= since));
}

export async function markUndone(tx: Tx, undone: readonly ChangeRow[], by: number): Promise<void> {
  await tx
    .update(changes)
    .set({ undoOf: undone.map(({ id }) => id) })
    .where(eq(changes.id, by));
  for (const row of undone) await revertChange(tx, row, by);
}

async function revertChange(tx: Tx, row: ChangeRow, by: number): Promise<void> {
  await tx.update(changes).set({ undoneBy: by }).where(eq(changes.id, row.id));
  for (const number of row.undoOf ?? []) {
    const [target] = await tx.select().from(changes).where(eq(changes.id, number));
    if (target !== undefined) await reapplyChange(tx, target);
  }
}

async function reapplyChange(tx: Tx, row: ChangeRow): Promise<void> {
  await tx.update(changes).set({ undoneBy: null }).where(eq(changes.id, row.id));
  for (const number of row.undoOf ?? []) {
    const [target] = await tx.select().from(changes).where(eq(changes.id, number));
    if (target !== undefined) await revertChange(tx, target, row.id);
  }
}
