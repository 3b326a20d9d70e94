import { sql } from "drizzle-orm";
import { blob, integer, sqliteTable } from "drizzle-orm/sqlite-core";
import {
  listOfValues,
  numbersNamed,
  preparedQuery,
  requireTime,
  rowQuery,
  type Tx,
} from "../../../database/index.ts";
import { signBits } from "../../../embedding/index.ts";
import { madeOnce } from "../../../kernel/made-once.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { byKind } from "../by-kind.ts";
import type { NeighbourQuery, VectorIndex } from "../vector-query.ts";
import { bitsTable, PARTS } from "./bits-table.ts";
import { findSignProblems, itemsThatDiffer, partsWithoutNeighbours } from "./check-vectors.ts";
import { hammingDistances } from "./hamming-distances.ts";
import { nearestSigns } from "./nearest-signs.ts";
import { noteSignsChanged, paddedSigns, readSigns } from "./signs-in-memory.ts";

const NEIGHBOURS = 128;
const NEIGHBOURS_WHERE_SOME_ARE_HIDDEN = 256;
/** So few are compared with the query one by one: which are nearest by their signs does not matter. */
const FEW_VECTORS = 400;

/** Sign bits in the virtual tables of sqlite-vec, one for each kind. */
export const sqliteVecIndex: VectorIndex = {
  async exists(tx) {
    return (await bitsTables(tx, {})).length === INDEXED_KINDS.length;
  },

  async create(tx, dimensions) {
    const bits = Math.ceil(dimensions / 8) * 8;
    for (const kind of INDEXED_KINDS) {
      await tx.run(
        sql`create virtual table if not exists ${bitsTable(kind)} using vec0(part integer partition key, bits ${sql.raw(`bit[${bits}]`)})`,
      );
    }
    await noteSignsChanged(tx);
  },

  async drop(tx) {
    for (const kind of INDEXED_KINDS) await tx.run(sql`drop table if exists ${bitsTable(kind)}`);
    await noteSignsChanged(tx);
  },

  async add(tx, { kind, number }, vector) {
    const rowid = BigInt(number);
    const part = BigInt(number % PARTS);
    await insertBits[kind](tx).execute({ rowid, part, bits: signBits(vector) });
    await noteSignsChanged(tx);
  },

  async remove(tx, kind, numbers) {
    await deleteBits[kind](tx).execute({ numbers: listOfValues(numbers) });
    await noteSignsChanged(tx);
  },

  nearest: nearestItems,
  refinements: () => Promise.resolve([]),
  shortcoming: () => Promise.resolve(undefined),
  findProblems: findSignProblems,
  differing: itemsThatDiffer,

  async isBlind(tx, kind) {
    return (await partsWithoutNeighbours(tx, kind)).length > 0;
  },
};

const bitsTables = rowQuery<[name: string]>(
  () =>
    sql`select name from sqlite_schema where type = 'table' and name in (${sql.raw(INDEXED_KINDS.map((kind) => `'${kind}_bits'`).join())})`,
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

const deleteBits = byKind((kind) =>
  preparedQuery((tx) =>
    tx
      .delete(bitRows[kind])
      .where(sql`${bitRows[kind].rowid} in (${numbersNamed("numbers")})`)
      .prepare(),
  ),
);

async function nearestItems(
  tx: Tx,
  { vector, ofAPart = false, isTimed = false, kinds = INDEXED_KINDS }: NeighbourQuery,
): Promise<Record<IndexedKind, number[]>> {
  const chunks = await readSigns(tx, { kinds, isTimed });
  const bits = signBits(vector);
  const signs = paddedSigns(bits, bits.length);
  const compare = comparison(signs.length);
  const most = ofAPart ? NEIGHBOURS_WHERE_SOME_ARE_HIDDEN : NEIGHBOURS;
  const query = { signs, compare, most, few: FEW_VECTORS, lookAtTime: () => requireTime(tx) };
  return forEachKind((kind) =>
    kinds.includes(kind) ? nearestSigns([...chunks[kind].values()], query) : [],
  );
}

/** Of signs of so many words. */
const comparison = madeOnce(hammingDistances);
