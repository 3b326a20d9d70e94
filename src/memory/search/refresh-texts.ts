import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { meta } from "../context/meta.table.ts";
import { itemTable } from "./indexed-items.ts";
import { loadSearchable } from "./load-searchable.ts";
import { textIndexOf } from "./text-index.ts";

/**
 * Key of a row that a migration writes if it changes how texts are indexed. It holds, by kind, the last
 * number that is indexed by the new rules. The row is deleted once all items are.
 */
const KEY = "texts_refreshed";
/** Number of items are written in one transaction: about 20 ms. */
const SLICE = 200;

/** True if some items are still indexed by former rules. */
export async function textsAreStale(tx: Tx): Promise<boolean> {
  return (await tx.select().from(meta).where(eq(meta.key, KEY))).length > 0;
}

/** True if the index counts items that are gone, as databases of former versions did. */
export async function countsAreWrong(tx: Tx): Promise<boolean> {
  const index = textIndexOf(tx);
  for (const kind of INDEXED_KINDS) {
    if ((await index.countsItsRows?.(tx, kind)) === false) return true;
  }
  return false;
}

export async function recountTexts(tx: Tx): Promise<void> {
  for (const kind of INDEXED_KINDS) await textIndexOf(tx).recount?.(tx, kind);
}

/** Reindexes some items, oldest first. Returns whether more are left. */
export async function refreshTexts(tx: Tx): Promise<boolean> {
  const [row] = await tx.select().from(meta).where(eq(meta.key, KEY));
  if (row === undefined) return false;
  const reached = JSON.parse(row.value) as Partial<Record<IndexedKind, number>>;
  for (const kind of INDEXED_KINDS) {
    const numbers = await numbersAfter(tx, kind, reached[kind] ?? 0);
    await textIndexOf(tx).remove(tx, kind, numbers);
    await textIndexOf(tx).add(tx, kind, await loadSearchable(tx, kind, numbers));
    const last = numbers.at(-1);
    if (last === undefined || numbers.length < SLICE) continue;
    const value = JSON.stringify({ ...reached, [kind]: last });
    await tx.update(meta).set({ value }).where(eq(meta.key, KEY));
    return true;
  }
  await textsAreFresh(tx);
  return false;
}

/** Records that every item is indexed by the current rules. */
export async function textsAreFresh(tx: Tx): Promise<void> {
  await tx.delete(meta).where(eq(meta.key, KEY));
}

async function numbersAfter(tx: Tx, kind: IndexedKind, after: number): Promise<number[]> {
  const table = itemTable(kind);
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(isNull(table.deletedAt), gt(table.id, after)))
    .orderBy(asc(table.id))
    .limit(SLICE);
  return rows.map(({ id }) => id);
}
