import { randomInt } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { preparedQuery, type Tx } from "../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { loadSearchable } from "./load-searchable.ts";
import { pendingVectors, vectors } from "./search.table.ts";
import { putText, removeText } from "./text-index.ts";
import { removeVector } from "./vector-index.ts";

/** Items whose text changed in a transaction. */
export class TouchedItems {
  readonly #numbers = { episode: new Set<number>(), concept: new Set<number>() };

  add(kind: IndexedKind, number: number): void {
    this.#numbers[kind].add(number);
  }

  numbersOf(kind: IndexedKind): number[] {
    return [...this.#numbers[kind]];
  }
}

/**
 * Rewrites the index entries of the touched items in the transaction that touched them: the text
 * at once, the vector by a row in `pending_vectors`, since no model runs under the write lock.
 */
export async function updateIndex(tx: Tx, touched: TouchedItems): Promise<void> {
  for (const kind of INDEXED_KINDS) {
    const numbers = touched.numbersOf(kind);
    const items = await loadSearchable(tx, kind, numbers);
    const found = new Set(items.map((item) => item.number));
    for (const { number, text } of items) {
      await putText(tx, { kind, number }, text);
      await requestVector(tx, kind, number);
    }
    for (const number of numbers) {
      if (!found.has(number)) await removeFromIndex(tx, kind, number);
    }
  }
}

/** Asks for a vector of the text as it is now; what is made from older text is not taken. */
export async function requestVector(tx: Tx, kind: IndexedKind, number: number): Promise<void> {
  const revision = randomInt(MAX_REVISION);
  await insertRequest(tx).execute({ kind, number, revision });
}

const insertRequest = preparedQuery((tx) => {
  const revision = sql`${sql.placeholder("revision")}`;
  return tx
    .insert(pendingVectors)
    .values({ kind: sql.placeholder("kind"), itemId: sql.placeholder("number"), revision })
    .onConflictDoUpdate({
      target: [pendingVectors.kind, pendingVectors.itemId],
      set: { revision },
    })
    .prepare();
});

/** As many as a JavaScript number tells apart, less a few bits. */
const MAX_REVISION = 2 ** 48 - 1;

async function removeFromIndex(tx: Tx, kind: IndexedKind, number: number): Promise<void> {
  await removeText(tx, { kind, number });
  await removeVector(tx, { kind, number });
  await tx.delete(vectors).where(and(eq(vectors.kind, kind), eq(vectors.itemId, number)));
  await tx
    .delete(pendingVectors)
    .where(and(eq(pendingVectors.kind, kind), eq(pendingVectors.itemId, number)));
}
