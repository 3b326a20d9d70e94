import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "../../src/database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../../src/memory/context/indexed-kind.ts";
import { copyMemory, type MemoryEngine } from "../../src/memory/index.ts";
import { readPin, writePin } from "../../src/memory/search/embedder-pin.ts";
import { pendingVectors, vectors } from "../../src/memory/search/search.table.ts";
import { storedVector } from "../../src/memory/search/stored-vector.ts";
import { getVectorIndex } from "../../src/memory/search/vector-index.ts";

const BATCH_SIZE = 500;

/**
 * Copies a memory into an empty one, with its vectors, since computing them takes most of the
 * time.
 */
export async function copyWithVectors(from: MemoryEngine, into: MemoryEngine): Promise<void> {
  await copyMemory(from, into);
  const [source, target] = [await from.database(), await into.database()];
  const pin = await source.read((tx) => readPin(tx));
  if (pin === undefined) return;
  await target.write(async (tx) => {
    await getVectorIndex(tx).create(tx, pin.dimensions);
    await writePin(tx, pin);
    await tx.delete(pendingVectors);
  });
  for (const kind of INDEXED_KINDS) {
    for (let after = 0; ; ) {
      const rows = await source.read((tx) => readVectors(tx, kind, after));
      if (rows.length === 0) break;
      await target.write(async (tx) => {
        await tx.insert(vectors).values(rows);
        for (const { itemId, vector } of rows) {
          const direction = Float32Array.from(storedVector(vector));
          await getVectorIndex(tx).add(tx, { kind, number: itemId }, direction);
        }
      });
      after = rows.at(-1)?.itemId ?? 0;
    }
  }
  // Autovacuum would do this within some minutes.
  await target.refine(["analyze"]);
}

function readVectors(tx: Tx, kind: IndexedKind, after: number) {
  return tx
    .select()
    .from(vectors)
    .where(and(eq(vectors.kind, kind), gt(vectors.itemId, sql`${after}`)))
    .orderBy(asc(vectors.itemId))
    .limit(BATCH_SIZE);
}
