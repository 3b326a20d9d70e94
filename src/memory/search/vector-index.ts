import { and, eq, sql } from "drizzle-orm";
import { blob, integer, sqliteTable } from "drizzle-orm/sqlite-core";
import {
  listOfValues,
  preparedQuery,
  rowQuery,
  type Tx,
  valuesNamed,
} from "../../database/index.ts";
import { normalise, normalisedMean } from "../../embedding/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { byKind, ITEM_TABLES } from "./by-kind.ts";
import { encodeVector, signBits } from "./quantize.ts";
import { vectors } from "./search.table.ts";
import { EVERYTHING, type Visibility } from "./visibility.ts";

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
  await removeVector(tx, item);
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

/** Forgets the vector of an item; nothing when it has none. */
export async function removeVector(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
): Promise<void> {
  const removed = await deleteVector(tx).execute({ kind: item.kind, number: item.number });
  if (removed.length === 0) return;
  await tx.run(sql`delete from ${bitsTable(item.kind)} where rowid = ${BigInt(item.number)}`);
}

const deleteVector = preparedQuery((tx) =>
  tx
    .delete(vectors)
    .where(
      and(eq(vectors.kind, sql.placeholder("kind")), eq(vectors.itemId, sql.placeholder("number"))),
    )
    .returning({ itemId: vectors.itemId })
    .prepare(),
);

export interface NeighbourQuery {
  readonly kind: IndexedKind;
  /** Normalised. */
  readonly vector: Float32Array;
  /** How many of each part; default 8. */
  readonly ofAPart?: number | undefined;
}

/** Numbers of the items whose sign bits differ least from the query's: about 130, in no order. */
export async function nearestBySigns(tx: Tx, query: NeighbourQuery): Promise<number[]> {
  const rows = await nearest[query.kind](tx, {
    bits: signBits(query.vector),
    neighbours: query.ofAPart ?? NEIGHBOURS_OF_A_PART,
  });
  return rows.map(([number]) => number);
}

const nearest = byKind((kind) => {
  const table = bitsTable(kind);
  return rowQuery<[number: number]>(
    () => sql`select near.rowid from json_each(${sql.raw(`'${ALL_PARTS}'`)}) parts
      cross join ${table} near where near.bits match vec_bit(${sql.placeholder("bits")})
      and near.k = ${sql.placeholder("neighbours")} and near.part = parts.value`,
  );
});

/** Numbers of all items of a kind that have a vector, where they are few; else undefined. */
export async function fewWithVectors(tx: Tx, kind: IndexedKind): Promise<number[] | undefined> {
  const rows = await numbersWithVectors[kind](tx, {});
  return rows.length > FEW_VECTORS ? undefined : rows.map(([number]) => number);
}

/** Comparing so many one by one takes no longer than to search the parts for the nearest. */
const FEW_VECTORS = 400;

const numbersWithVectors = byKind((kind) =>
  rowQuery<[number: number]>(
    () => sql`select item_id from vectors where kind = ${sql.raw(`'${kind}'`)}
      limit ${sql.raw(String(FEW_VECTORS + 1))}`,
  ),
);

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

export interface SimilarityQuery {
  readonly kind: IndexedKind;
  /** Normalised. */
  readonly vector: Float32Array;
  /** Numbers of the items. */
  readonly items: readonly number[];
  /** Which of them may be found; default all. */
  readonly visible?: Visibility | undefined;
}

/** Cosine similarity of the query to each of these items, -1..1; items without vector are absent. */
export async function similaritiesOf(tx: Tx, query: SimilarityQuery): Promise<Map<number, number>> {
  if (query.items.length === 0) return new Map();
  const { kind, vector, items, visible = EVERYTHING } = query;
  const values = {
    ...visible.values,
    numbers: listOfValues(items),
    vector: encodeVector(vector),
  };
  const rows = await similarities[kind](tx, values, visible);
  return new Map(rows.map(([number, distance]) => [number, 1 - (distance ?? 1)]));
}

const similarities = byKind((kind) => {
  const table = sql.identifier(ITEM_TABLES[kind]);
  return rowQuery<[number: number, distance: number | null], Visibility>(({ shape, condition }) => {
    const isVisible =
      shape === EVERYTHING.shape
        ? sql``
        : sql` and exists (select 1 from ${table} where ${table}.id = vectors.item_id and ${condition})`;
    return sql`select item_id, vec_distance_cosine(vec_int8(vector), vec_int8(${sql.placeholder("vector")}))
      from vectors where kind = ${sql.raw(`'${kind}'`)}
      and item_id in (${valuesNamed("numbers")})${isVisible}`;
  });
});

/** The token signs of these items; those that have none are absent. */
export async function tokenSignsOf(
  tx: Tx,
  kind: IndexedKind,
  items: readonly number[],
): Promise<Map<number, Uint8Array>> {
  if (items.length === 0) return new Map();
  return new Map(await tokenSigns[kind](tx, { numbers: listOfValues(items) }));
}

const tokenSigns = byKind((kind) =>
  rowQuery<[number: number, signs: Uint8Array]>(
    () => sql`select item_id, tokens from vectors where kind = ${sql.raw(`'${kind}'`)}
      and item_id in (${valuesNamed("numbers")}) and tokens is not null`,
  ),
);

/** The normalised mean of these vectors; undefined when none of them is there. */
export async function meanVectorOf(
  tx: Tx,
  kind: IndexedKind,
  items: readonly number[],
): Promise<Float32Array | undefined> {
  const rows = await storedVectors[kind](tx, { numbers: listOfValues(items) });
  return rows.length === 0
    ? undefined
    : normalisedMean(rows.map(([vector]) => normalise(new Int8Array(vector))));
}

const storedVectors = byKind((kind) =>
  rowQuery<[vector: Uint8Array]>(
    () => sql`select vector from vectors where kind = ${sql.raw(`'${kind}'`)}
      and item_id in (${valuesNamed("numbers")})`,
  ),
);
