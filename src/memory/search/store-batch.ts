import { and, eq, sql } from "drizzle-orm";
import { type Database, preparedQuery, type Tx } from "../../database/index.ts";
import { settleAll } from "../../shared/async.ts";
import type { PendingItem } from "./claim-pending.ts";
import { checkPin, type EmbedderPin, holdPin, readPin, writePin } from "./embedder-pin.ts";
import type { PendingText } from "./pending-batch.ts";
import { pendingVectors } from "./search.table.ts";
import { putVector, vectorIndexOf } from "./vector-index.ts";
import type { MadeVector } from "./vector-query.ts";

export interface MadeBatch {
  readonly vectors: readonly MadeVector[];
  readonly pin: EmbedderPin;
}

export async function storeBatch(
  database: Database,
  batch: readonly PendingText[],
  { vectors, pin }: MadeBatch,
): Promise<void> {
  const store = async (tx: Tx) => {
    const stored = batch.map(async ({ item }, index) => {
      const vector = vectors[index];
      if (vector !== undefined) await storeVector(tx, item, vector);
    });
    await settleAll(...stored);
  };
  const isStored = await database.writeDerived(async (tx) => {
    const held = await holdPin(tx);
    if (held === undefined || !isSettled(held, pin)) return false;
    // The index of a kind that was introduced after the database was made may not exist yet.
    if (!(await vectorIndexOf(tx).exists(tx))) return false;
    checkPin(held, pin.identity);
    await store(tx);
    return true;
  });
  if (isStored) return;
  await database.write(async (tx) => {
    await pinEmbedder(tx, pin);
    await store(tx);
  });
}

/** True if the pin contains all that is known by now. */
function isSettled(pin: EmbedderPin, made: EmbedderPin): boolean {
  return pin.tokens !== undefined || made.tokens === undefined;
}

/** Another process may have pinned the database in the meantime. */
async function pinEmbedder(tx: Tx, pin: EmbedderPin): Promise<void> {
  const known = await readPin(tx);
  checkPin(known, pin.identity);
  await vectorIndexOf(tx).create(tx, pin.dimensions);
  if (known === undefined || known.tokens === undefined) await writePin(tx, pin);
}

/** Stores the vector unless the item was changed or deleted after its text was read. */
async function storeVector(tx: Tx, item: PendingItem, vector: MadeVector): Promise<void> {
  const { kind, itemId, revision } = item;
  const current = await deleteRequest(tx).execute({ kind, itemId, revision });
  if (current.length === 1) await putVector(tx, { kind, number: itemId }, vector);
}

const deleteRequest = preparedQuery((tx) =>
  tx
    .delete(pendingVectors)
    .where(
      and(
        eq(pendingVectors.kind, sql.placeholder("kind")),
        eq(pendingVectors.itemId, sql.placeholder("itemId")),
        eq(pendingVectors.revision, sql.placeholder("revision")),
      ),
    )
    .returning({ itemId: pendingVectors.itemId })
    .prepare(),
);
