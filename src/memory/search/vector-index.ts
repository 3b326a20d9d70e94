import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { encodeVector, signBits } from "./quantize.ts";
import { vectors } from "./search.table.ts";
import type { CandidateSet } from "./text-index.ts";
import { valueSet } from "./value-set.ts";

/** Name of the table of sign bits of a kind (sqlite-vec). SQLite only, as everything here. */
const bitsTable = (kind: IndexedKind) => sql.identifier(`${kind}_bits`);

/**
 * Parts of a bits table, by number modulo. sqlite-vec's search costs rows × neighbours, so a few
 * neighbours of each part are far cheaper than many of the whole; docs/decisions tells the figures.
 */
const PARTS = 16;
const ALL_PARTS = JSON.stringify(Array.from({ length: PARTS }, (_, part) => part));
const NEIGHBOURS_OF_A_PART = 8;
/** What a search within a given set of items asks for: parts of it would each read the whole set. */
const NEIGHBOURS_OF_A_SET = 200;

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
      sql`create virtual table ${bitsTable(kind)} using vec0(part integer partition key, bits ${sql.raw(`bit[${bits}]`)})`,
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
  await removeVector(tx, item);
  await tx
    .insert(vectors)
    .values({ kind: item.kind, itemId: item.number, vector: encodeVector(vector) });
  const rowid = BigInt(item.number);
  const part = BigInt(item.number % PARTS);
  await tx.run(
    sql`insert into ${bitsTable(item.kind)}(rowid, part, bits) values (${rowid}, ${part}, vec_bit(${signBits(vector)}))`,
  );
}

/** Forgets the vector of an item; nothing when it has none. */
export async function removeVector(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
): Promise<void> {
  const removed = await tx
    .delete(vectors)
    .where(and(eq(vectors.kind, item.kind), eq(vectors.itemId, item.number)))
    .returning({ itemId: vectors.itemId });
  if (removed.length === 0) return;
  await tx.run(sql`delete from ${bitsTable(item.kind)} where rowid = ${BigInt(item.number)}`);
}

export interface NeighbourQuery {
  readonly kind: IndexedKind;
  /** Normalised. */
  readonly vector: Float32Array;
  readonly among?: CandidateSet | undefined;
}

/** Numbers of the items whose sign bits differ least from the query's: about 130, in no order. */
export async function nearestBySigns(tx: Tx, query: NeighbourQuery): Promise<number[]> {
  const table = bitsTable(query.kind);
  const bits = sql`vec_bit(${signBits(query.vector)})`;
  const rows = await tx.values<[number: number]>(
    query.among === undefined
      ? sql`select near.rowid from json_each(${ALL_PARTS}) parts cross join ${table} near where near.bits match ${bits} and near.k = ${NEIGHBOURS_OF_A_PART} and near.part = parts.value`
      : sql`select rowid from ${table} where bits match ${bits} and k = ${NEIGHBOURS_OF_A_SET} and rowid in (${query.among.numbers})`,
  );
  return rows.map(([number]) => number);
}

export interface SimilarityQuery {
  readonly kind: IndexedKind;
  /** Normalised. */
  readonly vector: Float32Array;
  /** Which items: their numbers, or a subquery of them. */
  readonly items: readonly number[] | SQL;
}

/** Cosine similarity of the query to each of these items, -1..1; items without vector are absent. */
export async function similaritiesOf(
  tx: Tx,
  { kind, vector, items }: SimilarityQuery,
): Promise<Map<number, number>> {
  const numbers = Array.isArray(items) ? valueSet(items as readonly number[]) : (items as SQL);
  const rows = await tx.values<[number: number, distance: number | null]>(
    sql`select item_id, vec_distance_cosine(vec_int8(vector), vec_int8(${encodeVector(vector)})) from vectors where kind = ${kind} and item_id in (${numbers})`,
  );
  return new Map(rows.map(([number, distance]) => [number, 1 - (distance ?? 1)]));
}
