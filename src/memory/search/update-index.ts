import { randomInt } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { preparedQuery, type Tx } from "../../database/index.ts";
import type { DerivedPart } from "../context/derived-part.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { usingPart } from "./derived-damage.ts";
import { loadSearchable, type SearchableItem } from "./load-searchable.ts";
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
 * at once, the vector by a row in `pending_vectors`, since no model runs under the write lock. The
 * parts that are known to be damaged are left as they are: `doctor` compares them with the rows and
 * makes them anew. Throws DerivedDamage, which ends the transaction.
 */
export async function updateIndex(
  tx: Tx,
  touched: TouchedItems,
  damaged: ReadonlySet<DerivedPart>,
): Promise<void> {
  for (const kind of INDEXED_KINDS) {
    const numbers = touched.numbersOf(kind);
    if (numbers.length === 0) continue;
    const items = await loadSearchable(tx, kind, numbers);
    if (!damaged.has("text index")) {
      await usingPart("text index", () => updateTexts(tx, kind, { numbers, items }));
    }
    if (!damaged.has("vectors")) {
      await usingPart("vectors", () => updateVectors(tx, kind, { numbers, items }));
    }
  }
}

interface TouchedOfKind {
  readonly numbers: readonly number[];
  /** Those of the numbers that are active. */
  readonly items: readonly SearchableItem[];
}

async function updateTexts(tx: Tx, kind: IndexedKind, touched: TouchedOfKind): Promise<void> {
  for (const { number, text } of touched.items) await putText(tx, { kind, number }, text);
  for (const number of goneOf(touched)) await removeText(tx, { kind, number });
}

async function updateVectors(tx: Tx, kind: IndexedKind, touched: TouchedOfKind): Promise<void> {
  for (const { number } of touched.items) await requestVector(tx, kind, number);
  for (const number of goneOf(touched)) await forgetVector(tx, kind, number);
}

function goneOf({ numbers, items }: TouchedOfKind): number[] {
  const found = new Set(items.map((item) => item.number));
  return numbers.filter((number) => !found.has(number));
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

async function forgetVector(tx: Tx, kind: IndexedKind, number: number): Promise<void> {
  await removeVector(tx, { kind, number });
  await tx.delete(vectors).where(and(eq(vectors.kind, kind), eq(vectors.itemId, number)));
  await tx
    .delete(pendingVectors)
    .where(and(eq(pendingVectors.kind, kind), eq(pendingVectors.itemId, number)));
}
