import { and, eq, sql } from "drizzle-orm";
import { listOfValues, preparedQuery, type Tx, valuesNamed } from "../../database/index.ts";
import type { DerivedPart } from "../context/derived-part.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import type { NewItem } from "../context/new-item.ts";
import { usingPart } from "./derived-damage.ts";
import { type IndexedItem, loadSearchable } from "./load-searchable.ts";
import { readersOf, renewVectors } from "./renew-readers.ts";
import { requestVectors } from "./request-vector.ts";
import { pendingVectors } from "./search.table.ts";
import { searchableConcept, searchableEpisode } from "./searchable-text.ts";
import { addTexts, removeTexts } from "./text-index.ts";
import { removeVector } from "./vector-index.ts";

/** Items whose text changed in a transaction. */
export class TouchedItems {
  readonly #changed = { episode: new Set<number>(), concept: new Set<number>() };
  readonly #made = {
    episode: new Map<number, IndexedItem>(),
    concept: new Map<number, IndexedItem>(),
  };
  /** Episodes that were read after one whose row has lost its session. */
  readonly readers = new Set<number>();

  add(kind: IndexedKind, number: number): void {
    this.#made[kind].delete(number);
    this.#changed[kind].add(number);
  }

  /** An item that the transaction made, as it is until it is touched again. */
  addNew(item: NewItem): void {
    const { kind, number, words } = item;
    const text = kind === "episode" ? searchableEpisode(words) : searchableConcept(words);
    this.#made[kind].set(number, { number, text });
  }

  changed(kind: IndexedKind): number[] {
    return [...this.#changed[kind]];
  }

  made(kind: IndexedKind): IndexedItem[] {
    return [...this.#made[kind].values()];
  }
}

/**
 * Rewrites the index entries of the touched items in the transaction that touched them: the text
 * at once, the vector by a row in `pending_vectors`, since no model runs under the write lock. The
 * parts that are known to be damaged are left as they are: `doctor` compares them with the rows and
 * makes them anew. Throws DerivedDamage, which ends the transaction.
 */
export async function updateIndex(
  tx: Tx,
  touched: TouchedItems,
  damaged: ReadonlySet<DerivedPart>,
): Promise<void> {
  const readers = await readersOf(tx, touched.changed("episode"));
  for (const kind of INDEXED_KINDS) {
    const changed = touched.changed(kind);
    const items = [...(await loadSearchable(tx, kind, changed)), ...touched.made(kind)];
    if (!damaged.has("text index")) {
      await usingPart("text index", () => updateTexts(tx, kind, { changed, items }));
    }
    if (!damaged.has("vectors")) {
      await usingPart("vectors", () => updateVectors(tx, kind, { changed, items }));
    }
  }
  if (damaged.has("vectors")) return;
  await usingPart("vectors", () =>
    renewVectors(tx, [...new Set([...readers, ...touched.readers])]),
  );
}

interface TouchedOfKind {
  /** Numbers of those that the index may hold. */
  readonly changed: readonly number[];
  /** Everything that it is to hold: of the changed ones those that are active, and new ones. */
  readonly items: readonly IndexedItem[];
}

async function updateTexts(tx: Tx, kind: IndexedKind, touched: TouchedOfKind): Promise<void> {
  await removeTexts(tx, kind, touched.changed);
  await addTexts(tx, kind, touched.items);
}

async function updateVectors(tx: Tx, kind: IndexedKind, touched: TouchedOfKind): Promise<void> {
  const numbers = touched.items.map(({ number }) => number);
  await requestVectors(tx, kind, numbers);
  const found = new Set(numbers);
  const gone = touched.changed.filter((number) => !found.has(number));
  if (gone.length === 0) return;
  for (const number of gone) await removeVector(tx, { kind, number });
  await deleteRequests(tx).execute({ kind, numbers: listOfValues(gone) });
}

const deleteRequests = preparedQuery((tx) =>
  tx
    .delete(pendingVectors)
    .where(
      and(
        eq(pendingVectors.kind, sql.placeholder("kind")),
        sql`${pendingVectors.itemId} in (${valuesNamed("numbers")})`,
      ),
    )
    .prepare(),
);
