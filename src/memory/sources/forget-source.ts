import { and, eq, isNull } from "drizzle-orm";
import { stateConflict } from "../../shared/errors.ts";
import { purgedItems } from "../context/meta.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { findSource, type SourceRow } from "./source.queries.ts";
import { passages, sources } from "./source.table.ts";

export async function forgetSource(
  context: WriteContext,
  id: string,
  field: string,
): Promise<void> {
  const source = await findSource(context.tx, id, field);
  if (source.deletedAt !== null) throw stateConflict(`${field}: ${id} is deleted already`);
  await setDeletedAt(context, source, context.now);
  await context.emit({ kind: "deleted", subjectType: "source", subjectId: id });
}

export async function restoreSource(
  context: WriteContext,
  id: string,
  field: string,
): Promise<void> {
  const source = await findSource(context.tx, id, field);
  if (source.deletedAt === null) throw stateConflict(`${field}: ${id} is not deleted`);
  const [purged] = await context.tx.select().from(purgedItems).where(eq(purgedItems.item, id));
  if (purged !== undefined)
    throw stateConflict(`${field}: ${id} was purged and cannot be restored`);
  await setDeletedAt(context, source, null);
  await context.emit({ kind: "restored", subjectType: "source", subjectId: id });
}

/** Passages deleted earlier remain deleted when the source is restored. */
async function setDeletedAt(
  { tx, touch }: WriteContext,
  source: SourceRow,
  deletedAt: string | null,
): Promise<void> {
  await tx.update(sources).set({ deletedAt }).where(eq(sources.id, source.id));
  const combined =
    source.deletedAt === null
      ? isNull(passages.deletedAt)
      : eq(passages.deletedAt, source.deletedAt);
  const changed = await tx
    .update(passages)
    .set({ deletedAt })
    .where(and(eq(passages.sourceId, source.id), combined))
    .returning({ id: passages.id });
  for (const { id } of changed) touch("passage", id);
}
