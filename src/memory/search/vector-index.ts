import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { inBatches } from "../../kernel/in-batches.ts";
import { encodeVector, signBits, similarityTo } from "./quantize.ts";
import { INDEXED_KINDS, type IndexedKind, vectors } from "./search.table.ts";

/** Name of the table of sign bits of a kind (sqlite-vec). SQLite only, as everything here. */
const bitsTable = (kind: IndexedKind) => sql.identifier(`${kind}_bits`);

/** sqlite-vec takes at most this many neighbours in one query. */
const MAX_NEIGHBOURS = 4096;

export async function vectorIndexExists(tx: Tx): Promise<boolean> {
  const rows = await tx.all(
    sql`select name from sqlite_schema where type = 'table' and name = 'episode_bits'`,
  );
  return rows.length > 0;
}

/** Makes the tables of sign bits for vectors of this length. */
export async function createVectorIndex(tx: Tx, dimensions: number): Promise<void> {
  const bits = Math.ceil(dimensions / 8) * 8;
  for (const kind of INDEXED_KINDS) {
    await tx.run(
      sql`create virtual table ${bitsTable(kind)} using vec0(bits ${sql.raw(`bit[${bits}]`)})`,
    );
  }
}

export async function dropVectorIndex(tx: Tx): Promise<void> {
  for (const kind of INDEXED_KINDS) await tx.run(sql`drop table if exists ${bitsTable(kind)}`);
  await tx.delete(vectors);
}

/** Stores a normalised vector, exact enough for scoring and as bits for the coarse pass. */
export async function putVector(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
  vector: Float32Array,
): Promise<void> {
  const encoded = encodeVector(vector);
  await tx
    .insert(vectors)
    .values({ kind: item.kind, itemId: item.number, vector: encoded })
    .onConflictDoUpdate({ target: [vectors.kind, vectors.itemId], set: { vector: encoded } });
  const rowid = BigInt(item.number);
  await tx.run(sql`delete from ${bitsTable(item.kind)} where rowid = ${rowid}`);
  await tx.run(
    sql`insert into ${bitsTable(item.kind)}(rowid, bits) values (${rowid}, vec_bit(${signBits(vector)}))`,
  );
}

/** Forgets the bits of an item; nothing when vectors were never made. */
export async function removeVector(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
): Promise<void> {
  const [known] = await tx
    .select({ itemId: vectors.itemId })
    .from(vectors)
    .where(and(eq(vectors.kind, item.kind), eq(vectors.itemId, item.number)));
  if (known === undefined) return;
  await tx.run(sql`delete from ${bitsTable(item.kind)} where rowid = ${BigInt(item.number)}`);
}

export interface NeighbourQuery {
  readonly kind: IndexedKind;
  /** Normalised. */
  readonly vector: Float32Array;
  readonly count: number;
  /** `select` of the only numbers that may be found. */
  readonly among?: SQL | undefined;
}

/** Numbers of the items whose sign bits differ least from the query's, nearest first. */
export async function nearestBySigns(tx: Tx, query: NeighbourQuery): Promise<number[]> {
  const count = Math.min(query.count, MAX_NEIGHBOURS);
  const among = query.among === undefined ? sql`` : sql` and rowid in (${query.among})`;
  const rows = await tx.all<{ rowid: number }>(
    sql`select rowid from ${bitsTable(query.kind)} where bits match vec_bit(${signBits(query.vector)}) and k = ${count}${among} order by distance`,
  );
  return rows.map((row) => row.rowid);
}

/** Cosine similarity of the query to each of these items, -1..1; items without vector are absent. */
export async function similarities(
  tx: Tx,
  item: { kind: IndexedKind; numbers: readonly number[] },
  query: Float32Array,
): Promise<Map<number, number>> {
  const rows = await inBatches(item.numbers, (slice) =>
    tx
      .select({ itemId: vectors.itemId, vector: vectors.vector })
      .from(vectors)
      .where(and(eq(vectors.kind, item.kind), inArray(vectors.itemId, slice))),
  );
  return new Map(rows.map((row) => [row.itemId, similarityTo(query, row.vector)]));
}
