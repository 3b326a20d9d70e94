import { sql } from "drizzle-orm";
import {
  cachePerFile,
  listOfValues,
  numbersParameter,
  ORDERED_JOIN,
  preparedQuery,
  rowQuery,
  type Tx,
  withinTime,
} from "../../../database/index.ts";
import { forEachKind, type IndexedKind } from "../../context/indexed-kind.ts";
import { meta } from "../../context/meta.table.ts";
import { DerivedDamage } from "../derived-damage.ts";
import { VECTOR_BYTES } from "../simd/instantiate.ts";
import type { SignChunk } from "./hamming-distances.ts";
import { firstOfChunk } from "./signs-table.ts";
import { type TimedShape, timedShape } from "./timed-search.ts";

/** Meta key that changes with every change of the signs. */
const VERSION_NAME = "signs";

interface ReadChunk extends SignChunk {
  readonly revision: number;
}

type Chunks = ReadonlyMap<number, ReadChunk>;

export type SignsByKind = Readonly<Record<IndexedKind, Chunks>>;

interface ReadSigns {
  readonly version: string | null;
  readonly chunks: SignsByKind;
}

const signsOfFile = cachePerFile((): { signs: ReadSigns } => ({
  signs: { version: "unread", chunks: forEachKind(() => new Map()) },
}));

export async function recordSignsChanged(tx: Tx): Promise<void> {
  await drawVersion(tx).execute();
}

/** Random, because a rolled-back counter would repeat a value. */
const drawVersion = preparedQuery((tx) => {
  const value = sql`hex(randomblob(8))`;
  return tx
    .insert(meta)
    .values({ key: VERSION_NAME, value })
    .onConflictDoUpdate({ target: meta.key, set: { value } })
    .prepare();
});

/**
 * Loads the signs of all vectors. They are cached in memory, 52 bytes per item at 384 dimensions,
 * and only changed chunks are reread. Throws DerivedDamage for an incomplete chunk.
 */
export async function readSigns(
  tx: Tx,
  { isTimed }: { readonly isTimed: boolean },
): Promise<SignsByKind> {
  const cached = signsOfFile(tx);
  const before = cached.signs;
  const rows = await chunkStates(tx, { known: before.version });
  const version = rows.find(isVersion)?.[3] ?? null;
  if (version === before.version) return before.chunks;
  const chunks = forEachKind(() => new Map<number, ReadChunk>());
  const stale: number[] = [];
  for (const one of rows) {
    if (isVersion(one)) continue;
    const [row, kind, chunk, revision, places, signs] = one;
    const same = before.chunks[kind].get(chunk);
    if (same?.revision === revision) chunks[kind].set(chunk, same);
    else if (places === null || signs === null) stale.push(row);
    else chunks[kind].set(chunk, toChunk({ kind, chunk, revision, places, signBits: signs }));
  }
  for (const stored of await readChunks(tx, stale, isTimed)) {
    chunks[stored.kind].set(stored.chunk, toChunk(stored));
  }
  cached.signs = { version, chunks };
  return chunks;
}

type VersionRow = [row: null, kind: null, chunk: null, version: string | null];

type StateRow = [
  row: number,
  kind: IndexedKind,
  chunk: number,
  revision: number,
  /** Slots of a kind's last chunk, to which new items are appended. */
  places: Buffer | null,
  signs: Buffer | null,
];

const isVersion = (row: VersionRow | StateRow): row is VersionRow => row[0] === null;

/**
 * Selects the version and every chunk, with signs for the last one of each kind; no chunks if the
 * version is unchanged. The version is compared first: as a condition on chunks it would be
 * evaluated per chunk.
 */
const chunkStates = rowQuery<VersionRow | StateRow>(() => {
  const stored = sql.raw(`(select max(value) as version from meta where key = '${VERSION_NAME}')`);
  const isLast = sql`chunk = (select max(chunk) from vector_signs latest where latest.kind = vector_signs.kind)`;
  return sql`select null as number, null as kind, null as chunk, stored.version as state, null as places, null as signs
    from ${stored} stored union all
    select vector_signs.rowid, kind, chunk, revision, case when ${isLast} then places end, case when ${isLast} then signs end
    from ${stored} stored ${ORDERED_JOIN} vector_signs where stored.version is not ${sql.placeholder("known")}`;
});

/** This many chunks are read in a fraction of a millisecond, even after the time limit. */
const MAX_CHUNKS_TO_REREAD = 32;

async function readChunks(
  tx: Tx,
  rows: readonly number[],
  isTimed: boolean,
): Promise<StoredChunk[]> {
  if (rows.length === 0) return [];
  const shape = timedShape({ isTimed: isTimed && rows.length > MAX_CHUNKS_TO_REREAD });
  const read = await chunkRows(tx, { rows: listOfValues(rows) }, shape);
  return read.map(([kind, chunk, revision, places, signs]) => ({
    kind,
    chunk,
    revision,
    places,
    signBits: signs,
  }));
}

interface StoredChunk {
  readonly kind: IndexedKind;
  readonly chunk: number;
  readonly revision: number;
  readonly places: Buffer;
  readonly signBits: Buffer;
}

type ChunkRow = [kind: IndexedKind, chunk: number, revision: number, places: Buffer, signs: Buffer];

const chunkRows = rowQuery<ChunkRow, TimedShape>(({ isTimed }) => {
  const inTimeOnly = isTimed ? sql` and ${withinTime(sql`rowid`)}` : sql``;
  return sql`select kind, chunk, revision, places, signs from vector_signs
    where rowid in (${numbersParameter("rows")})${inTimeOnly}`;
});

function toChunk({ kind, chunk, revision, places, signBits }: StoredChunk): ReadChunk {
  const ofOne = signBits.length / places.length;
  if (!Number.isInteger(ofOne)) throw brokenChunkError(kind, chunk);
  return {
    revision,
    first: firstOfChunk(chunk),
    places,
    signBits: padSigns(signBits, ofOne),
  };
}

function brokenChunkError(kind: IndexedKind, chunk: number): DerivedDamage {
  return new DerivedDamage("vectors", new Error(`Chunk ${chunk} of the ${kind}s is not whole.`));
}

/** Unpadded buffers are not copied, because freed small copies fragment the heap. */
export function padSigns(bytes: Uint8Array, ofOne: number): Uint32Array {
  const padded = Math.ceil(ofOne / VECTOR_BYTES) * VECTOR_BYTES;
  if (ofOne === padded) {
    const isAlone = bytes.buffer.byteLength === bytes.length;
    return new Uint32Array(isAlone ? bytes.buffer : Uint8Array.from(bytes).buffer);
  }
  const signs = new Uint8Array((bytes.length / ofOne) * padded);
  for (let from = 0, to = 0; from < bytes.length; from += ofOne, to += padded) {
    signs.set(bytes.subarray(from, from + ofOne), to);
  }
  return new Uint32Array(signs.buffer);
}
