import { and, eq, sql } from "drizzle-orm";
import { blob, integer, sqliteTable } from "drizzle-orm/sqlite-core";
import {
  listOfValues,
  preparedQuery,
  type QueryShape,
  rowQuery,
  type Tx,
  valuesNamed,
} from "../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { byKind } from "./by-kind.ts";
import { encodeVector, signBits } from "./quantize.ts";
import { vectors } from "./search.table.ts";
import { storedVector } from "./stored-vector.ts";

/** Name of the table of sign bits of a kind (sqlite-vec). SQLite only, as everything here. */
const bitsTable = (kind: IndexedKind) => sql.identifier(`${kind}_bits`);

/**
 * Parts of a bits table, by number modulo. sqlite-vec's search costs rows × neighbours, so a few
 * neighbours of each part are far cheaper than many of the whole; docs/decisions tells the figures.
 */
const PARTS = 16;
const ALL_PARTS = JSON.stringify(Array.from({ length: PARTS }, (_, part) => part));
const NEIGHBOURS_OF_A_PART = 8;
export async function vectorIndexExists(tx: Tx): Promise<boolean> {
  return (await bitsTables(tx, {})).length > 0;
}

const bitsTables = rowQuery<[name: string]>(
  () => sql`select name from sqlite_schema where type = 'table' and name = 'episode_bits'`,
);

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

export interface MadeVector {
  /** L2-normalised. */
  readonly vector: Float32Array;
  /** The signs of its tokens, where the embedder tells them. */
  readonly tokens: Buffer | undefined;
}

/** Stores a vector, exact enough for scoring and as bits for the coarse pass. */
export async function putVector(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
  { vector, tokens }: MadeVector,
): Promise<void> {
  await removeVectors(tx, item.kind, [item.number]);
  const { kind, number } = item;
  await insertVector(tx).execute({
    kind,
    number,
    vector: encodeVector(vector),
    tokens: tokens ?? null,
  });
  const rowid = BigInt(number);
  const part = BigInt(number % PARTS);
  await insertBits[kind](tx).execute({ rowid, part, bits: signBits(vector) });
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

/** The table of sign bits of a kind as Drizzle can write it. */
const bitRows = byKind((kind) =>
  sqliteTable(`${kind}_bits`, {
    rowid: integer("rowid"),
    part: integer("part"),
    bits: blob("bits"),
  }),
);

const insertBits = byKind((kind) =>
  preparedQuery((tx) =>
    tx
      .insert(bitRows[kind])
      .values({
        rowid: sql.placeholder("rowid"),
        part: sql.placeholder("part"),
        bits: sql`vec_bit(${sql.placeholder("bits")})`,
      })
      .prepare(),
  ),
);

/** Forgets the vectors of items; those that have none are passed over. */
export async function removeVectors(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<void> {
  const removed = await deleteVectors(tx).execute({ kind, numbers: listOfValues(numbers) });
  if (removed.length === 0) return;
  await deleteBits[kind](tx).execute({
    numbers: listOfValues(removed.map(({ itemId }) => itemId)),
  });
}

const deleteVectors = preparedQuery((tx) =>
  tx
    .delete(vectors)
    .where(
      and(
        eq(vectors.kind, sql.placeholder("kind")),
        sql`${vectors.itemId} in (${valuesNamed("numbers")})`,
      ),
    )
    .returning({ itemId: vectors.itemId })
    .prepare(),
);

const deleteBits = byKind((kind) =>
  preparedQuery((tx) =>
    tx
      .delete(bitRows[kind])
      .where(sql`${bitRows[kind].rowid} in (${valuesNamed("numbers")})`)
      .prepare(),
  ),
);

export interface NeighbourQuery {
  /** Normalised. */
  readonly vector: Float32Array;
  /** How many of each part; default 8. */
  readonly ofAPart?: number | undefined;
}

/**
 * Numbers of the items of each kind whose sign bits differ least from the query's: about 130, in no
 * order; of a kind of which few have a vector, all of those.
 */
export async function nearestItems(
  tx: Tx,
  { vector, ofAPart = NEIGHBOURS_OF_A_PART }: NeighbourQuery,
): Promise<Record<IndexedKind, number[]>> {
  const found: Record<IndexedKind, number[]> = { episode: [], concept: [] };
  const searched = { episode: 0, concept: 0 };
  for (const [kind, numbers] of await fewWithVectors(tx, {})) {
    if (numbers === null) searched[kind] = ofAPart;
    else found[kind] = JSON.parse(numbers) as number[];
  }
  if (searched.episode + searched.concept === 0) return found;
  const rows = await nearest(
    tx,
    { bits: signBits(vector), ...searched },
    { shape: `${searched.episode > 0} ${searched.concept > 0}`, searched },
  );
  for (const [kind, number] of rows) found[kind].push(number);
  return found;
}

interface SearchedKinds extends QueryShape {
  readonly searched: Readonly<Record<IndexedKind, number>>;
}

const nearest = rowQuery<[kind: IndexedKind, number: number], SearchedKinds>(({ searched }) => {
  const ofKind = (kind: IndexedKind) =>
    sql`select ${sql.raw(`'${kind}'`)} as kind, near.rowid
      from json_each(${sql.raw(`'${ALL_PARTS}'`)}) parts
      cross join ${bitsTable(kind)} near where near.bits match vec_bit(${sql.placeholder("bits")})
      and near.k = ${sql.placeholder(kind)} and near.part = parts.value`;
  const wanted = INDEXED_KINDS.filter((kind) => searched[kind] > 0);
  return sql.join(wanted.map(ofKind), sql` union all `);
});

/** Comparing so many one by one takes no longer than to search the parts for the nearest. */
const FEW_VECTORS = 400;

/** Of each kind the numbers of all items that have a vector, as JSON, where they are few. */
const fewWithVectors = rowQuery<[kind: IndexedKind, numbers: string | null]>(() => {
  const ofKind = (kind: IndexedKind) =>
    sql`select ${sql.raw(`'${kind}'`)} as kind,
      case when count(*) <= ${sql.raw(String(FEW_VECTORS))} then json_group_array(item_id) end
      from (select item_id from vectors where kind = ${sql.raw(`'${kind}'`)}
        limit ${sql.raw(String(FEW_VECTORS + 1))})`;
  return sql`${ofKind("episode")} union all ${ofKind("concept")}`;
});

/** Parts of the index that hold items, of which a search finds none. */
export async function partsWithoutNeighbours(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const table = bitsTable(kind);
  const [any] = await tx.all<{ vector: Buffer }>(
    sql`select vector from vectors where kind = ${kind} limit 1`,
  );
  if (any === undefined) return [];
  const bits = sql`vec_bit(${signBits(Float32Array.from(new Int8Array(any.vector)))})`;
  const held = await tx.values<[number]>(
    sql`select distinct item_id % ${sql.raw(String(PARTS))} from vectors where kind = ${kind}`,
  );
  const found = await tx.values<[number]>(
    sql`select parts.value from json_each(${ALL_PARTS}) parts cross join ${table} near where near.bits match ${bits} and near.k = 1 and near.part = parts.value`,
  );
  const searched = new Set(found.map(([part]) => part));
  return held.map(([part]) => part).filter((part) => !searched.has(part));
}

/** The stored vector of an item; undefined where it has none. */
export async function vectorOf(
  tx: Tx,
  { kind, number }: { kind: IndexedKind; number: number },
): Promise<Int8Array | undefined> {
  const [row] = await tx
    .select({ vector: vectors.vector })
    .from(vectors)
    .where(and(eq(vectors.kind, kind), eq(vectors.itemId, number)));
  return row && storedVector(row.vector);
}
