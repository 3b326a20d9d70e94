import { and, eq, sql } from "drizzle-orm";
import {
  preparedQuery,
  RANDOM_NUMBER,
  requireTime,
  rowQuery,
  type Tx,
} from "../../../database/index.ts";
import { signBits } from "../../../embedding/index.ts";
import { groupBy, memoize } from "../../../shared/collections.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import type { NeighbourQuery, VectorIndex } from "../vector-query.ts";
import { findSignProblems, isBlindTo, itemsThatDiffer } from "./check-signs.ts";
import { hammingDistances } from "./hamming-distances.ts";
import { nearestSigns } from "./nearest-signs.ts";
import { noteSignsChanged, paddedSigns, readSigns } from "./signs-in-memory.ts";
import { chunkOf, placeOf, vectorSigns } from "./signs-table.ts";

const NEIGHBOURS = 128;
const NEIGHBOURS_WHERE_SOME_ARE_HIDDEN = 256;
/** So few items are compared with the query exactly, so which are nearest by signs does not matter. */
const SMALL_COUNT_OF_VECTORS = 400;

/** Sign bits in a table of their own, for vectors of any length. */
export const signIndex: VectorIndex = {
  isOfOneLength: false,

  async exists(tx) {
    return (await tableOfSigns(tx, {})).length === 1;
  },

  create: () => Promise.resolve(),

  async drop(tx) {
    await tx.delete(vectorSigns);
    await noteSignsChanged(tx);
  },

  async add(tx, { kind, number }, vector) {
    await appendSigns(tx).execute({
      kind,
      chunk: chunkOf(number),
      places: Buffer.of(placeOf(number)),
      signs: signBits(vector),
    });
    await noteSignsChanged(tx);
  },

  async remove(tx, kind, numbers) {
    for (const [chunk, ofChunk] of groupBy(numbers, chunkOf)) {
      await removeFromChunk(tx, { kind, chunk }, new Set(ofChunk.map(placeOf)));
    }
    await noteSignsChanged(tx);
  },

  nearest: nearestItems,
  refinements: () => Promise.resolve([]),
  shortcoming: () => Promise.resolve(undefined),
  findProblems: findSignProblems,
  differing: itemsThatDiffer,

  isBlind: (tx, kind) =>
    isBlindTo(
      tx,
      kind,
      async (vector) => (await nearestItems(tx, { vector, kinds: [kind] }))[kind],
    ),
};

const tableOfSigns = rowQuery<[name: string]>(
  () => sql`select name from sqlite_schema where type = 'table' and name = 'vector_signs'`,
);

/** SQLite's `||` turns bytes into text; casting it back gives the same bytes. */
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
  gone: ReadonlySet<number>,
): Promise<void> {
  const [row] = await chunkRow(tx).execute({ kind, chunk });
  if (row === undefined) return;
  const ofOne = row.signs.length / row.places.length;
  const kept = [...row.places.keys()].filter((at) => !gone.has(row.places[at] as number));
  if (kept.length === row.places.length) return;
  if (kept.length === 0) {
    await deleteChunk(tx).execute({ kind, chunk });
    return;
  }
  await rewriteChunk(tx).execute({
    kind,
    chunk,
    places: Buffer.from(kept.map((at) => row.places[at] as number)),
    signs: Buffer.concat(kept.map((at) => row.signs.subarray(at * ofOne, (at + 1) * ofOne))),
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

async function nearestItems(
  tx: Tx,
  { vector, ofAPart = false, isTimed = false, kinds = INDEXED_KINDS }: NeighbourQuery,
): Promise<Record<IndexedKind, number[]>> {
  const chunks = await readSigns(tx, { isTimed });
  const bits = signBits(vector);
  const signs = paddedSigns(bits, bits.length);
  const compare = comparison(signs.length);
  const most = ofAPart ? NEIGHBOURS_WHERE_SOME_ARE_HIDDEN : NEIGHBOURS;
  const query = {
    signs,
    compare,
    most,
    few: SMALL_COUNT_OF_VECTORS,
    lookAtTime: () => requireTime(tx),
  };
  return forEachKind((kind) =>
    kinds.includes(kind) ? nearestSigns([...chunks[kind].values()], query) : [],
  );
}

/** Comparisons, cached by the number of words of the signs. */
const comparison = memoize(hammingDistances);
