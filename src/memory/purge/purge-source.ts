import { and, eq, inArray } from "drizzle-orm";
import { loadInBatches } from "../../shared/async.ts";
import { notFound } from "../../shared/errors.ts";
import { purgedItems } from "../context/meta.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { rowChanges } from "../events/change.table.ts";
import { kindOfId, passageId } from "../input/item-ids.ts";
import { findPassage, findSource, keyOfPurged } from "../sources/source.queries.ts";
import { passages, sources } from "../sources/source.table.ts";
import { purgeProposalsOnPassages } from "./purge-proposals.ts";
import { PURGED } from "./text-columns.ts";

export async function purgeSource(context: WriteContext, id: string): Promise<readonly string[]> {
  const { tx, now } = context;
  const isPassage = kindOfId(id) === "passage";
  const numbers = isPassage
    ? [(await findPassage(tx, id, "ids")).id]
    : await replaceSourceWithTombstone(context, id);
  await removePassages(context, numbers);
  await context.emit({
    kind: "deleted",
    subjectType: isPassage ? "passage" : "source",
    subjectId: id,
    payload: { op: "purge", passages: numbers.length },
  });
  const ids = isPassage ? [id] : [id, ...numbers.map(passageId)];
  await loadInBatches(ids, async (slice) => {
    await tx
      .insert(purgedItems)
      .values(slice.map((item) => ({ item, ts: now })))
      .onConflictDoNothing();
    return [];
  });
  return ids;
}

async function replaceSourceWithTombstone(
  { tx, now }: WriteContext,
  id: string,
): Promise<readonly number[]> {
  const source = await findSource(tx, id, "ids");
  if (source.title === PURGED) throw notFound(`ids: there is nothing left of ${id} to purge`);
  const rows = await tx
    .select({ id: passages.id })
    .from(passages)
    .where(eq(passages.sourceId, source.id));
  await tx
    .update(sources)
    .set({
      key: keyOfPurged(source),
      title: PURGED,
      place: null,
      mark: null,
      deletedAt: source.deletedAt ?? now,
    })
    .where(eq(sources.id, source.id));
  await clearNotes(tx, "sources", [source.id]);
  return rows.map((row) => row.id);
}

async function removePassages(context: WriteContext, numbers: readonly number[]): Promise<void> {
  const { tx, touch } = context;
  await purgeProposalsOnPassages(context, numbers);
  await loadInBatches([...numbers], async (slice) => {
    await tx.delete(passages).where(inArray(passages.id, slice));
    return [];
  });
  for (const number of numbers) touch("passage", number);
  await clearNotes(tx, "passages", numbers);
}

async function clearNotes(
  tx: WriteContext["tx"],
  table: "sources" | "passages",
  numbers: readonly number[],
): Promise<void> {
  const keys = numbers.map((number) => JSON.stringify([number]));
  await loadInBatches(keys, async (slice) => {
    await tx
      .update(rowChanges)
      .set({ before: null, after: null, purged: true })
      .where(and(eq(rowChanges.tableName, table), inArray(rowChanges.rowKey, slice)));
    return [];
  });
}
