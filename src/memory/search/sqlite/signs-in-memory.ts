import { sql } from "drizzle-orm";
import {
  inTime,
  keptForFile,
  listOfValues,
  numbersNamed,
  preparedQuery,
  rowQuery,
  type Tx,
} from "../../../database/index.ts";
import {
  forEachKind,
  INDEXED_KINDS,
  type IndexedKind,
  MEMORY_KINDS,
} from "../../context/indexed-kind.ts";
import { meta } from "../../context/meta.table.ts";
import { byKind, type KindsShape, ofKinds } from "../by-kind.ts";
import { DerivedDamage } from "../derived-damage.ts";
import { VECTOR_BYTES } from "../simd/assemble.ts";

import type { SignChunk } from "./nearest-signs.ts";
import { type TimedShape, timedShape } from "./timed-search.ts";

/** Key under which the database tells that the signs are others than they were. */
const VERSION = "signs";

/** A chunk as it was last read. */
interface ReadChunk extends SignChunk {
  /** Which places are taken, and by what: other places, other signs. */
  readonly places: Buffer;
}

type Chunks = ReadonlyMap<number, ReadChunk>;

export type SignsByKind = Readonly<Record<IndexedKind, Chunks>>;

interface ReadSigns {
  readonly version: string | null;
  readonly chunks: SignsByKind;
}

const UNREAD: ReadSigns = {
  version: "unread",
  chunks: forEachKind(() => new Map()),
};

interface KeptSigns {
  signs: ReadSigns;
  /** Kinds that are read: those that were asked for and have a table. */
  kinds: readonly IndexedKind[];
}

const signsOfFile = keptForFile((): KeptSigns => ({ signs: UNREAD, kinds: MEMORY_KINDS }));

/** Has whoever keeps the signs in memory read them again. Called with each change of them. */
export async function noteSignsChanged(tx: Tx): Promise<void> {
  await drawVersion(tx).execute();
}

/** Drawn, not counted: a count that was rolled back would be met twice. */
const drawVersion = preparedQuery((tx) => {
  const value = sql`hex(randomblob(8))`;
  return tx
    .insert(meta)
    .values({ key: VERSION, value })
    .onConflictDoUpdate({ target: meta.key, set: { value } })
    .prepare();
});

/**
 * The signs of all vectors, in the chunks in which sqlite-vec stores them. They are kept in memory,
 * 56 bytes an item, and only what changed is read again: comparing them here takes a twentieth of
 * the time of its own search.
 */
export async function readSigns(
  tx: Tx,
  { kinds: wanted, isTimed }: { readonly kinds: readonly IndexedKind[]; readonly isTimed: boolean },
): Promise<SignsByKind> {
  const kept = signsOfFile(tx);
  if (wanted.some((kind) => !kept.kinds.includes(kind))) {
    const there = await kindsWithSigns(tx);
    if (there.length !== kept.kinds.length) kept.signs = UNREAD;
    kept.kinds = there;
  }
  const before = kept.signs;
  const { kinds } = kept;
  const values = { known: before.version };
  const rows = await chunkRows(tx, values, ofKinds(kinds));
  const version = rows.find(([what]) => what === "version")?.[4] ?? null;
  if (version === before.version) return before.chunks;
  const chunks: Record<IndexedKind, Chunks> = { ...UNREAD.chunks };
  for (const kind of INDEXED_KINDS) {
    chunks[kind] = await changedChunks(tx, { kind, rows, before, isTimed });
  }
  kept.signs = { version, chunks };
  return chunks;
}

/** A database of an older version has no table for a kind that is new, until a vector of it is stored. */
async function kindsWithSigns(tx: Tx): Promise<readonly IndexedKind[]> {
  const rows = await tx.all<{ name: string }>(
    sql`select name from sqlite_schema where type = 'table'`,
  );
  const names = new Set(rows.map(({ name }) => name));
  return INDEXED_KINDS.filter((kind) => names.has(`${kind}_bits`));
}

type ChunkRow = [
  what: "version" | IndexedKind,
  id: number | null,
  places: Buffer | null,
  /** Of the last chunk of a part. */
  signs: Buffer | null,
  version: string | null,
];

/** Every chunk, the last of each part with its signs; none where nothing has changed. */
const chunkRows = rowQuery<ChunkRow, KindsShape>(({ kinds }) => {
  const stored = sql.raw(`(select value from meta where key = '${VERSION}')`);
  const ofKind = (kind: IndexedKind) => {
    const chunks = sql.identifier(`${kind}_bits_chunks`);
    const isLast = sql`chunk_id in (select max(chunk_id) from ${chunks} group by partition00)`;
    return sql`select ${sql.raw(`'${kind}'`)}, chunk_id, cast(validity || rowids as blob),
      case when ${isLast} then (select vectors from ${signsTable(kind)} stored where stored.rowid = chunk_id) end,
      null from ${chunks} where ${stored} is not ${sql.placeholder("known")}`;
  };
  return sql`select 'version' as what, null as chunk, null as places, null as signs, ${stored} as version
    union all ${sql.join(kinds.map(ofKind), sql` union all `)}`;
});

interface Changes {
  readonly kind: IndexedKind;
  readonly rows: readonly ChunkRow[];
  readonly before: ReadSigns;
  readonly isTimed: boolean;
}

/**
 * Only to the last chunk of its part does sqlite-vec add, perhaps in the place of one that is gone;
 * of any other chunk a vector can only be taken away.
 */
async function changedChunks(tx: Tx, { kind, rows, before, isTimed }: Changes): Promise<Chunks> {
  const known = before.chunks[kind];
  const chunks = new Map<number, ReadChunk>();
  const stale = new Map<number, Buffer>();
  for (const [what, id, places, signs] of rows) {
    if (what !== kind || id === null || places === null) continue;
    const same = known.get(id);
    if (signs !== null) chunks.set(id, toChunk(places, signs));
    else if (same?.places.equals(places)) chunks.set(id, same);
    else stale.set(id, places);
  }
  if (stale.size === 0) return chunks;
  const values = { ids: listOfValues(stale.keys()) };
  for (const [id, signs] of await signRows[kind](tx, values, timedShape({ isTimed }))) {
    const places = stale.get(id);
    if (places !== undefined) chunks.set(id, toChunk(places, signs));
    stale.delete(id);
  }
  if (stale.size === 0) return chunks;
  const missing = new Error(
    `Chunks of the ${kind}s have no signs: ${[...stale.keys()].join(", ")}.`,
  );
  throw new DerivedDamage("vectors", missing);
}

const signsTable = (kind: IndexedKind) => sql.identifier(`${kind}_bits_vector_chunks00`);

const signRows = byKind((kind) =>
  rowQuery<[id: number, signs: Buffer], TimedShape>(({ isTimed }) => {
    const inTimeOnly = isTimed ? sql` and ${inTime(sql`rowid`)}` : sql``;
    return sql`select rowid, vectors from ${signsTable(kind)}
      where rowid in (${numbersNamed("ids")})${inTimeOnly}`;
  }),
);

/** Bytes of the number of an item. */
const OF_A_NUMBER = 8;

function toChunk(places: Buffer, bytes: Buffer): ReadChunk {
  const size = places.length / (OF_A_NUMBER + 1 / 8);
  const ofOne = bytes.length / size;
  const taken = places.subarray(0, size / 8);
  const used = placesUsed(taken);
  const numbers = places.subarray(size / 8, size / 8 + used * OF_A_NUMBER);
  return {
    places,
    taken,
    numbers: new Uint32Array(Uint8Array.from(numbers).buffer),
    signs: paddedSigns(bytes.subarray(0, used * ofOne), ofOne),
  };
}

/** What is behind them no item has taken: sqlite-vec fills the first places first. */
function placesUsed(taken: Uint8Array): number {
  const last = taken.findLastIndex((byte) => byte !== 0);
  return last < 0 ? 0 : 8 * last + (32 - Math.clz32(taken[last] ?? 0));
}

/** Signs of so many bytes each, filled up to what one instruction compares. */
export function paddedSigns(bytes: Uint8Array, ofOne: number): Uint32Array {
  const padded = Math.ceil(ofOne / VECTOR_BYTES) * VECTOR_BYTES;
  if (ofOne === padded) return new Uint32Array(Uint8Array.from(bytes).buffer);
  const signs = new Uint8Array((bytes.length / ofOne) * padded);
  for (let from = 0, to = 0; from < bytes.length; from += ofOne, to += padded) {
    signs.set(bytes.subarray(from, from + ofOne), to);
  }
  return new Uint32Array(signs.buffer);
}
