import { and, eq, sql } from "drizzle-orm";
import {
  loadVectorFunctions,
  preparedQuery,
  RANDOM_NUMBER,
  requireTime,
  rowQuery,
  type Tx,
} from "../../../database/index.ts";
import { signBits } from "../../../embedding/index.ts";
import { forEachBatch } from "../../../shared/async.ts";
import { groupBy, memoize } from "../../../shared/collections.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { createProblem, type Problem } from "../../context/problem.ts";
import { publicName } from "../indexed-items.ts";
import { storedVector } from "../stored-vector.ts";
import type { NeighbourQuery, VectorIndex } from "../vector-query.ts";
import { computeHammingDistances, findNearestSigns } from "./hamming-distances.ts";
import { padSigns, readSigns, recordSignsChanged } from "./signs-in-memory.ts";
import { CHUNK_SIZE, getChunk, getLocation, numbersOfChunk, vectorSigns } from "./signs-table.ts";

async function findSignProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const { lacking, stray, differing } = await compareWithVectors(tx, kind);
  const named = (numbers: readonly number[]) => numbers.map((number) => publicName(kind, number));
  return [
    ...createProblem(`The coarse index lacks vectors of ${kind}s.`, named(lacking)),
    ...createProblem(`The coarse index contains ${kind}s that have no vector.`, named(stray)),
    ...createProblem(`The coarse index disagrees with the vectors of ${kind}s.`, named(differing)),
  ];
}

async function findDifferingItems(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const { lacking, stray, differing } = await compareWithVectors(tx, kind);
  return [...lacking, ...stray, ...differing];
}

interface Comparison {
  /** Items with a vector but no signs. */
  readonly lacking: number[];
  /** Items with signs but no vector. */
  readonly stray: number[];
  /** Items whose signs do not match their vector or are stored twice. */
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
  const requested = sql`(select value as chunk from json_each(${JSON.stringify(chunks)}))`;
  const stored = await tx.all<{ number: number; vector: Buffer }>(
    sql`select item_id as number, vector from ${requested} join vectors on kind = ${kind}
      and item_id >= chunk * ${CHUNK_SIZE} and item_id < (chunk + 1) * ${CHUNK_SIZE}`,
  );
  const vectors = new Map(stored.map(({ number, vector }) => [number, vector]));
  const rows = await tx.all<{ chunk: number; places: Buffer; signs: Buffer }>(
    sql`select chunk, places, signs from vector_signs where kind = ${kind} and chunk in ${requested}`,
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

/** Values rounded to 0 have lost their sign; all others must match. */
function haveSameSigns(vector: Buffer, signs: Buffer): boolean {
  if (signs.length !== Math.ceil(vector.length / 8)) return false;
  for (const [index, byte] of vector.entries()) {
    const value = byte > 127 ? byte - 256 : byte;
    const isPositive = (((signs[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
    if (value !== 0 && isPositive !== value > 0) return false;
  }
  return true;
}

type Search = (vector: Float32Array) => Promise<readonly number[]>;

const PROBES = 2;

/** Returns true if the sign search misses exact neighbors found by sqlite-vec, if available. */
async function missesNearestItems(tx: Tx, kind: IndexedKind, search: Search): Promise<boolean> {
  if (!(await loadVectorFunctions(tx))) return false;
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

const MAX_NEIGHBOURS = 128;
const MAX_NEIGHBOURS_WHEN_FILTERED = 256;
/** Up to this number all items are compared exactly, so their order by signs is irrelevant. */
const MAX_VECTORS_TO_SCAN = 400;

/** Stores sign bits in a separate table, for vectors of any length. */
export const signIndex: VectorIndex = {
  isOfOneLength: false,

  async exists(tx) {
    return (await tableOfSigns(tx, {})).length === 1;
  },

  create: () => Promise.resolve(),

  async drop(tx) {
    await tx.delete(vectorSigns);
    await recordSignsChanged(tx);
  },

  async add(tx, { kind, number }, vector) {
    await appendSigns(tx).execute({
      kind,
      chunk: getChunk(number),
      places: Buffer.of(getLocation(number)),
      signs: signBits(vector),
    });
    await recordSignsChanged(tx);
  },

  async remove(tx, kind, numbers) {
    for (const [chunk, ofChunk] of groupBy(numbers, getChunk)) {
      await removeFromChunk(tx, { kind, chunk }, new Set(ofChunk.map(getLocation)));
    }
    await recordSignsChanged(tx);
  },

  nearest: findNearestItems,
  refinements: () => Promise.resolve([]),
  shortcoming: () => Promise.resolve(undefined),
  findProblems: findSignProblems,
  differing: findDifferingItems,

  isBlind: (tx, kind) =>
    missesNearestItems(
      tx,
      kind,
      async (vector) => (await findNearestItems(tx, { vector, kinds: [kind] }))[kind],
    ),
};

const tableOfSigns = rowQuery<[name: string]>(
  () => sql`select name from sqlite_schema where type = 'table' and name = 'vector_signs'`,
);

/** SQLite's `||` converts bytes to text; the cast restores them. */
const appendSigns = preparedQuery((tx) =>
  tx
    .insert(vectorSigns)
    .values({
      kind: sql.placeholder("kind"),
      chunk: sql.placeholder("chunk"),
      revision: RANDOM_NUMBER,
      places: sql.placeholder("places"),
      signs: sql.placeholder("signs"),
    })
    .onConflictDoUpdate({
      target: [vectorSigns.kind, vectorSigns.chunk],
      set: {
        revision: sql`excluded.revision`,
        places: sql`cast(${vectorSigns.places} || excluded.places as blob)`,
        signs: sql`cast(${vectorSigns.signs} || excluded.signs as blob)`,
      },
    })
    .prepare(),
);

interface ChunkKey {
  readonly kind: IndexedKind;
  readonly chunk: number;
}

async function removeFromChunk(
  tx: Tx,
  { kind, chunk }: ChunkKey,
  removed: ReadonlySet<number>,
): Promise<void> {
  const [row] = await chunkRow(tx).execute({ kind, chunk });
  if (row === undefined) return;
  const ofOne = row.signs.length / row.places.length;
  const retained = [...row.places.keys()].filter((at) => !removed.has(row.places[at] as number));
  if (retained.length === row.places.length) return;
  if (retained.length === 0) {
    await deleteChunk(tx).execute({ kind, chunk });
    return;
  }
  await rewriteChunk(tx).execute({
    kind,
    chunk,
    places: Buffer.from(retained.map((at) => row.places[at] as number)),
    signs: Buffer.concat(retained.map((at) => row.signs.subarray(at * ofOne, (at + 1) * ofOne))),
  });
}

const ofKey = and(
  eq(vectorSigns.kind, sql.placeholder("kind")),
  eq(vectorSigns.chunk, sql.placeholder("chunk")),
);

const chunkRow = preparedQuery((tx) => tx.select().from(vectorSigns).where(ofKey).prepare());

const deleteChunk = preparedQuery((tx) => tx.delete(vectorSigns).where(ofKey).prepare());

const rewriteChunk = preparedQuery((tx) =>
  tx
    .update(vectorSigns)
    .set({
      revision: RANDOM_NUMBER,
      places: sql`${sql.placeholder("places")}`,
      signs: sql`${sql.placeholder("signs")}`,
    })
    .where(ofKey)
    .prepare(),
);

async function findNearestItems(
  tx: Tx,
  { vector, ofAPart = false, isTimed = false, kinds = INDEXED_KINDS }: NeighbourQuery,
): Promise<Record<IndexedKind, number[]>> {
  const chunks = await readSigns(tx, { isTimed });
  const bits = signBits(vector);
  const signs = padSigns(bits, bits.length);
  const compare = comparison(signs.length);
  const limit = ofAPart ? MAX_NEIGHBOURS_WHEN_FILTERED : MAX_NEIGHBOURS;
  const query = {
    signBits: signs,
    compare,
    limit,
    few: MAX_VECTORS_TO_SCAN,
    lookAtTime: () => requireTime(tx),
  };
  return forEachKind((kind) =>
    kinds.includes(kind) ? findNearestSigns([...chunks[kind].values()], query) : [],
  );
}

const comparison = memoize(computeHammingDistances);
