import { sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { forEachBatch } from "../../../shared/async.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { type Problem, problemOf } from "../../context/problem.ts";
import { publicName } from "../indexed-items.ts";
import { storedVector } from "../stored-vector.ts";
import { CHUNK_SIZE, numbersOfChunk } from "./signs-table.ts";

/** Problems with the sign bits of the coarse search, compared with the vectors. */
export async function findSignProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const { lacking, stray, differing } = await compareWithVectors(tx, kind);
  const named = (numbers: readonly number[]) => numbers.map((number) => publicName(kind, number));
  return [
    ...problemOf(`The coarse index lacks vectors of ${kind}s.`, named(lacking)),
    ...problemOf(`The coarse index holds ${kind}s that have no vector.`, named(stray)),
    ...problemOf(
      `The coarse index holds other signs than the vectors of ${kind}s.`,
      named(differing),
    ),
  ];
}

/** Items whose vector and sign bits do not match. */
export async function itemsThatDiffer(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const { lacking, stray, differing } = await compareWithVectors(tx, kind);
  return [...lacking, ...stray, ...differing];
}

interface Comparison {
  /** Numbers of items that have a vector but no signs. */
  readonly lacking: number[];
  /** Numbers of items that have signs but no vector. */
  readonly stray: number[];
  /** Numbers of items whose signs do not match their vector or are stored twice. */
  readonly differing: number[];
}

async function compareWithVectors(tx: Tx, kind: IndexedKind): Promise<Comparison> {
  // Numbers are bound as floating point, so the quotient has a fraction.
  const rows = await tx.values<[chunk: number]>(
    sql`select cast(item_id / ${CHUNK_SIZE} as integer) from vectors where kind = ${kind}
      union select chunk from vector_signs where kind = ${kind}`,
  );
  const found: Comparison = { lacking: [], stray: [], differing: [] };
  await forEachBatch(rows, (slice) =>
    compareChunks(tx, { kind, chunks: slice.map(([chunk]) => chunk) }, found),
  );
  return found;
}

interface ChunksOfKind {
  readonly kind: IndexedKind;
  readonly chunks: readonly number[];
}

async function compareChunks(
  tx: Tx,
  { kind, chunks }: ChunksOfKind,
  found: Comparison,
): Promise<void> {
  const wanted = sql`(select value as chunk from json_each(${JSON.stringify(chunks)}))`;
  const stored = await tx.all<{ number: number; vector: Buffer }>(
    sql`select item_id as number, vector from ${wanted} join vectors on kind = ${kind}
      and item_id >= chunk * ${CHUNK_SIZE} and item_id < (chunk + 1) * ${CHUNK_SIZE}`,
  );
  const vectors = new Map(stored.map(({ number, vector }) => [number, vector]));
  const rows = await tx.all<{ chunk: number; places: Buffer; signs: Buffer }>(
    sql`select chunk, places, signs from vector_signs where kind = ${kind} and chunk in ${wanted}`,
  );
  const seen = new Set<number>();
  for (const { chunk, places, signs } of rows) {
    const ofOne = signs.length / places.length;
    for (const [at, number] of numbersOfChunk(chunk, places).entries()) {
      const vector = vectors.get(number);
      const own = signs.subarray(at * ofOne, (at + 1) * ofOne);
      if (vector === undefined) found.stray.push(number);
      else if (seen.has(number) || !haveSameSigns(vector, own)) found.differing.push(number);
      seen.add(number);
    }
  }
  for (const number of vectors.keys()) if (!seen.has(number)) found.lacking.push(number);
}

/**
 * True if vector and signs match. A value that was rounded to 0 has lost its sign; all others must
 * agree.
 */
function haveSameSigns(vector: Buffer, signs: Buffer): boolean {
  if (signs.length !== Math.ceil(vector.length / 8)) return false;
  for (const [index, byte] of vector.entries()) {
    const value = byte > 127 ? byte - 256 : byte;
    const isPositive = (((signs[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
    if (value !== 0 && isPositive !== value > 0) return false;
  }
  return true;
}

/** Finds the numbers of the items nearest to a vector. */
type Search = (vector: Float32Array) => Promise<readonly number[]>;

const PROBES = 2;

/**
 * Compares the search by signs with sqlite-vec, which compares all vectors: whether it misses what is nearest
 * to some stored vectors, which is the vector itself or an equally near one. Without the extension it compares nothing.
 */
export async function isBlindTo(tx: Tx, kind: IndexedKind, search: Search): Promise<boolean> {
  const [extension] = await tx.values(
    sql`select 1 from pragma_function_list where name = 'vec_distance_cosine'`,
  );
  if (extension === undefined) return false;
  const probes = await tx.all<{ vector: Buffer }>(
    sql`select vector from vectors where kind = ${kind} order by item_id desc limit ${PROBES}`,
  );
  for (const { vector } of probes) {
    const numbers = await search(Float32Array.from(storedVector(vector)));
    const distance = sql`vec_distance_cosine(vec_int8(vector), vec_int8(${vector}))`;
    const isAlike = sql`kind = ${kind} and length(vector) = ${vector.length}`;
    const [row] = await tx.values<[ofAll: number | null, ofFound: number | null]>(
      sql`select min(${distance}), min(${distance}) filter (where item_id in (select value from json_each(${JSON.stringify(numbers)})))
        from vectors where ${isAlike}`,
    );
    const [ofAll, ofFound] = row ?? [null, null];
    if (ofAll !== null && (ofFound === null || ofFound > ofAll)) return true;
  }
  return false;
}
