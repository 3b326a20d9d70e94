import { sql } from "drizzle-orm";
import { blob, integer, sqliteTable } from "drizzle-orm/sqlite-core";
import {
  inTime,
  listOfValues,
  numbersNamed,
  preparedQuery,
  rowQuery,
  type Tx,
} from "../../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { byKind } from "../by-kind.ts";
import { signBits } from "../quantize.ts";
import type { NeighbourQuery, VectorIndex } from "../vector-query.ts";
import { ALL_PARTS, bitsTable, PARTS } from "./bits-table.ts";
import { findSignProblems, itemsThatDiffer, partsWithoutNeighbours } from "./check-vectors.ts";
import type { TimedShape } from "./timed-search.ts";

const NEIGHBOURS_OF_A_PART = 8;
const NEIGHBOURS_WHERE_SOME_ARE_HIDDEN = 16;

/** Sign bits in the virtual tables of sqlite-vec, one for each kind. */
export const sqliteVecIndex: VectorIndex = {
  async exists(tx) {
    return (await bitsTables(tx, {})).length > 0;
  },

  async create(tx, dimensions) {
    const bits = Math.ceil(dimensions / 8) * 8;
    for (const kind of INDEXED_KINDS) {
      await tx.run(
        sql`create virtual table ${bitsTable(kind)} using vec0(part integer partition key, bits ${sql.raw(`bit[${bits}]`)})`,
      );
    }
  },

  async drop(tx) {
    for (const kind of INDEXED_KINDS) await tx.run(sql`drop table if exists ${bitsTable(kind)}`);
  },

  async add(tx, { kind, number }, vector) {
    const rowid = BigInt(number);
    const part = BigInt(number % PARTS);
    await insertBits[kind](tx).execute({ rowid, part, bits: signBits(vector) });
  },

  async remove(tx, kind, numbers) {
    await deleteBits[kind](tx).execute({ numbers: listOfValues(numbers) });
  },

  nearest: nearestItems,
  findProblems: findSignProblems,
  differing: itemsThatDiffer,

  async isBlind(tx, kind) {
    return (await partsWithoutNeighbours(tx, kind)).length > 0;
  },
};

const bitsTables = rowQuery<[name: string]>(
  () => sql`select name from sqlite_schema where type = 'table' and name = 'episode_bits'`,
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
  { vector, ofAPart = false, isTimed = false }: NeighbourQuery,
): Promise<Record<IndexedKind, number[]>> {
  const neighbours = ofAPart ? NEIGHBOURS_WHERE_SOME_ARE_HIDDEN : NEIGHBOURS_OF_A_PART;
  const found: Record<IndexedKind, number[]> = { episode: [], concept: [] };
  const searched = { episode: 0, concept: 0 };
  for (const [kind, numbers] of await fewWithVectors(tx, {})) {
    if (numbers === null) searched[kind] = neighbours;
    else found[kind] = JSON.parse(numbers) as number[];
  }
  if (searched.episode + searched.concept === 0) return found;
  const rows = await nearest(
    tx,
    { bits: signBits(vector), ...searched },
    { shape: `${searched.episode > 0} ${searched.concept > 0} ${isTimed}`, searched, isTimed },
  );
  for (const [kind, number] of rows) found[kind].push(number);
  return found;
}

interface SearchedKinds extends TimedShape {
  readonly searched: Readonly<Record<IndexedKind, number>>;
}

const EVERY_PART = sql.raw(`json_each('${ALL_PARTS}')`);
const PARTS_IN_TIME = sql`(select value from ${EVERY_PART} where ${inTime(sql`value`)})`;

const nearest = rowQuery<[kind: IndexedKind, number: number], SearchedKinds>(
  ({ searched, isTimed }) => {
    const ofKind = (kind: IndexedKind) =>
      sql`select ${sql.raw(`'${kind}'`)} as kind, near.rowid
      from ${isTimed ? PARTS_IN_TIME : EVERY_PART} parts
      cross join ${bitsTable(kind)} near where near.bits match vec_bit(${sql.placeholder("bits")})
      and near.k = ${sql.placeholder(kind)} and near.part = parts.value`;
    const wanted = INDEXED_KINDS.filter((kind) => searched[kind] > 0);
    return sql.join(wanted.map(ofKind), sql` union all `);
  },
);

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
