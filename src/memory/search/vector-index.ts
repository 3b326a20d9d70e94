import { and, eq, sql } from "drizzle-orm";
import { listOfValues, numbersParameter, preparedQuery, type Tx } from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { pgvectorIndex } from "./postgres/pgvector-index.ts";
import { vectors } from "./search.table.ts";
import { signIndex } from "./sqlite/sign-index.ts";
import { storedVector } from "./stored-vector.ts";
import type { ComputedVector, NumberedItem, VectorIndex } from "./vector-query.ts";

const VECTOR_INDEXES = { sqlite: signIndex, postgres: pgvectorIndex } as const;

export function getVectorIndex(tx: Tx): VectorIndex {
  return VECTOR_INDEXES[tx.engine];
}

export async function putVector(
  tx: Tx,
  item: NumberedItem,
  { vector, tokens }: ComputedVector,
): Promise<void> {
  const { kind, number } = item;
  await removeVectors(tx, kind, [number]);
  const row = { kind, number, vector: encodeVector(vector), tokens: tokens ?? null };
  await insertVector(tx).execute(row);
  await getVectorIndex(tx).add(tx, item, vector);
}

const insertVector = preparedQuery((tx) =>
  tx
    .insert(vectors)
    .values({
      kind: sql.placeholder("kind"),
      itemId: sql.placeholder("number"),
      vector: sql.placeholder("vector"),
      tokens: sql.placeholder("tokens"),
    })
    .prepare(),
);

export async function removeVectors(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<void> {
  const removed = await deleteVectors(tx).execute({ kind, numbers: listOfValues(numbers) });
  if (removed.length === 0) return;
  await getVectorIndex(tx).remove(
    tx,
    kind,
    removed.map(({ itemId }) => itemId),
  );
}

const deleteVectors = preparedQuery((tx) =>
  tx
    .delete(vectors)
    .where(
      and(
        eq(vectors.kind, sql.placeholder("kind")),
        sql`${vectors.itemId} in (${numbersParameter("numbers")})`,
      ),
    )
    .returning({ itemId: vectors.itemId })
    .prepare(),
);

export async function dropVectors(tx: Tx): Promise<void> {
  await getVectorIndex(tx).drop(tx);
  await tx.delete(vectors);
}

export async function loadVector(
  tx: Tx,
  { kind, number }: NumberedItem,
): Promise<Int8Array | undefined> {
  const [row] = await tx
    .select({ vector: vectors.vector })
    .from(vectors)
    .where(and(eq(vectors.kind, kind), eq(vectors.itemId, number)));
  return row && storedVector(row.vector);
}

/** Encodes 8-bit integers, a quarter of the size of floats; cosine errors are below 0.005. */
export function encodeVector(vector: Float32Array): Buffer {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest === 0 ? 0 : 127 / largest;
  const encoded = new Int8Array(vector.length);
  // Ten times faster than `from`, which calls a function per number.
  for (let index = 0; index < vector.length; index += 1) {
    encoded[index] = Math.round((vector[index] ?? 0) * scale);
  }
  return Buffer.from(encoded.buffer);
}
