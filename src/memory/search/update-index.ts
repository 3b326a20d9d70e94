import { and, eq, sql } from "drizzle-orm";
import { listOfValues, numbersParameter, preparedQuery, type Tx } from "../../database/index.ts";
import { forEachBatch } from "../../shared/async.ts";
import type { IndexPart } from "../context/derived-part.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import type { NewItem } from "../context/new-item.ts";
import { convertDamage } from "./derived-damage.ts";
import { getTextIndex } from "./match-texts.ts";
import { findReaders, renewVectors, requestVectors } from "./renew-vectors.ts";
import { pendingVectors } from "./search.table.ts";
import { searchableText } from "./searchable-text.ts";
import { type IndexedItem, loadSearchable } from "./text-query.ts";
import { removeVectors } from "./vector-index.ts";

export class TouchedItems {
  readonly #changed = forEachKind(() => new Set<number>());
  readonly #created = forEachKind(() => new Map<number, IndexedItem>());
  readonly readers = new Set<number>();

  add(kind: IndexedKind, number: number): void {
    this.#created[kind].delete(number);
    this.#changed[kind].add(number);
  }

  addNew(item: NewItem): void {
    this.#created[item.kind].set(item.number, { number: item.number, text: searchableText(item) });
  }

  changed(kind: IndexedKind): number[] {
    return [...this.#changed[kind]];
  }

  made(kind: IndexedKind): IndexedItem[] {
    return [...this.#created[kind].values()];
  }
}

/**
 * Updates the index entries of changed items in the transaction: text immediately, vectors by a row
 * in `pending_vectors`, since no model runs under the write lock. Skips damaged parts, which
 * `doctor` rebuilds. Throws DerivedDamage, which ends the transaction.
 */
export async function updateIndex(
  tx: Tx,
  touched: TouchedItems,
  damaged: ReadonlySet<IndexPart>,
): Promise<void> {
  const readers = await findReaders(tx, touched.changed("episode"));
  const parts = forEachKind((): TouchedOfKind => ({ changed: [], items: [] }));
  for (const kind of INDEXED_KINDS) parts[kind] = await loadTouched(tx, kind, touched);
  if (!damaged.has("text index")) {
    await convertDamage("text index", async () => {
      for (const kind of INDEXED_KINDS) await updateTexts(tx, kind, parts[kind]);
    });
  }
  if (damaged.has("vectors")) return;
  await convertDamage("vectors", async () => {
    await updateVectors(tx, parts);
    await renewVectors(tx, [...new Set([...readers, ...touched.readers])]);
  });
}

interface TouchedOfKind {
  readonly changed: readonly number[];
  /** Items that the index must contain afterwards: active changed items and new ones. */
  readonly items: readonly IndexedItem[];
}

async function loadTouched(
  tx: Tx,
  kind: IndexedKind,
  touched: TouchedItems,
): Promise<TouchedOfKind> {
  const changed = touched.changed(kind);
  const items: IndexedItem[] = [];
  await forEachBatch(changed, async (numbers) => {
    items.push(...(await loadSearchable(tx, kind, numbers)));
  });
  return { changed, items: items.concat(touched.made(kind)) };
}

async function updateTexts(tx: Tx, kind: IndexedKind, touched: TouchedOfKind): Promise<void> {
  await forEachBatch(touched.changed, (numbers) => getTextIndex(tx).remove(tx, kind, numbers));
  await forEachBatch(touched.items, (items) => getTextIndex(tx).add(tx, kind, items));
}

async function updateVectors(
  tx: Tx,
  parts: Readonly<Record<IndexedKind, TouchedOfKind>>,
): Promise<void> {
  const requested = forEachKind((kind) => parts[kind].items.map(({ number }) => number));
  await requestVectors(tx, requested);
  for (const kind of INDEXED_KINDS) {
    const found = new Set(requested[kind]);
    const removed = parts[kind].changed.filter((number) => !found.has(number));
    if (removed.length === 0) continue;
    // Must run last: it waits for processes that are storing a vector for such a request.
    await deleteRequests(tx).execute({ kind, numbers: listOfValues(removed) });
    await removeVectors(tx, kind, removed);
  }
}

const deleteRequests = preparedQuery((tx) =>
  tx
    .delete(pendingVectors)
    .where(
      and(
        eq(pendingVectors.kind, sql.placeholder("kind")),
        sql`${pendingVectors.itemId} in (${numbersParameter("numbers")})`,
      ),
    )
    .prepare(),
);
