import { sql } from "drizzle-orm";
import {
  numberSet,
  type QueryShape,
  rowQuery,
  selectRows,
  type Tx,
} from "../../../database/index.ts";
import { settleAll } from "../../../shared/async.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { createProblem, createRowProblem, type Problem } from "../../context/problem.ts";
import { type KindsShape, ofKinds } from "../by-kind.ts";
import { itemId, publicName } from "../indexed-items.ts";
import { storedVector } from "../stored-vector.ts";
import type { NeighbourQuery, VectorCoverage, VectorIndex } from "../vector-query.ts";

const signsTable = (kind: IndexedKind) => sql.identifier(`vector_signs_${kind}`);

function formatSigns(vector: Float32Array): string {
  return Array.from(vector, (value) => (value > 0 ? "1" : "0")).join("");
}

async function findSignProblems(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const signs = sql`select number from ${signsTable(kind)}`;
  const stored = sql`select item_id from vectors where kind = ${kind}`;
  return [
    ...(await createRowProblem(
      tx,
      `The coarse index lacks vectors of ${kind}s.`,
      sql`select ${itemId(kind, sql`item_id`)} as item from (${stored} except ${signs}) lacking`,
    )),
    ...(await createRowProblem(
      tx,
      `The coarse index contains ${kind}s that have no vector.`,
      sql`select number as item from (${signs} except ${stored}) stray`,
    )),
    ...createProblem(
      `The coarse index disagrees with the vectors of ${kind}s.`,
      (await findDifferingSigns(tx, kind)).map((number) => publicName(kind, number)),
    ),
  ];
}

async function findDifferingItems(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const signs = sql`select number from ${signsTable(kind)}`;
  const stored = sql`select item_id from vectors where kind = ${kind}`;
  const uneven = await tx.all<{ number: number }>(
    sql`select item_id as number from (${stored} except ${signs}) lacking union select number from (${signs} except ${stored}) stray`,
  );
  return [...uneven.map(({ number }) => number), ...(await findDifferingSigns(tx, kind))];
}

const ROWS_PER_BATCH = 1000;

async function findDifferingSigns(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const differing: number[] = [];
  let after = 0;
  for (;;) {
    const rows = await tx.all<{ number: number; vector: Buffer; bits: string }>(
      sql`select number, vector, bits::text as bits from ${signsTable(kind)}
        join vectors on vectors.kind = ${kind} and vectors.item_id = number
        where number > ${after} order by number limit ${sql.raw(String(ROWS_PER_BATCH))}`,
    );
    for (const { number, vector, bits } of rows) {
      if (!haveSameSigns(storedVector(vector), bits)) differing.push(number);
    }
    const last = rows.at(-1);
    if (last === undefined) return differing;
    after = last.number;
  }
}

/** Values rounded to 0 have lost their sign; all others must match. */
function haveSameSigns(vector: Int8Array, bits: string): boolean {
  return (
    vector.length === bits.length &&
    vector.every((value, index) => value === 0 || value > 0 === (bits[index] === "1"))
  );
}

const hasPgvector = sql`exists (select 1 from pg_extension where extname = 'vector')`;

const offersPgvector = sql`exists (select 1 from pg_available_extensions where name = 'vector')`;

/** Installs the extension if it is available and permitted; it is optional. */
async function installPgvector(tx: Tx): Promise<void> {
  const [row] = await tx.all<{ offered: number }>(
    sql`select ${offersPgvector} and not ${hasPgvector} as offered`,
  );
  if (row?.offered !== 1) return;
  await tx.run(sql`savepoint pgvector`);
  try {
    await tx.run(sql`create extension if not exists vector with schema public`);
    await tx.run(
      sql`select set_config('search_path', current_setting('search_path') || ', public', true)`,
    );
  } catch {
    await tx.run(sql`rollback to savepoint pgvector`);
  }
  await tx.run(sql`release savepoint pgvector`);
}

/** An exhaustive comparison of these takes about 10 ms; a graph costs 6 ms per added vector. */
const MAX_WITHOUT_GRAPH = 20_000;

/**
 * Returns statements that build the neighbor graph (HNSW, Malkov and Yashunin 2018) of each kind
 * with many vectors, concurrently with writes. Rebuilds a graph whose build was interrupted.
 */
export async function listMissingGraphs(
  tx: Tx,
  { beyond = MAX_WITHOUT_GRAPH } = {},
): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const kind of INDEXED_KINDS) statements.push(...(await chooseGraph(tx, kind, beyond)));
  return statements;
}

async function chooseGraph(tx: Tx, kind: IndexedKind, limit: number): Promise<readonly string[]> {
  const name = `vector_signs_${kind}_near`;
  const many = sql`select 1 from ${signsTable(kind)} limit ${sql.raw(String(limit + 1))}`;
  const [row] = await selectRows<
    [wanted: number, valid: number | null, schema: string, ofVectors: string]
  >(
    tx,
    sql`select case when ${hasPgvector} and (select count(*) from (${many}) held) > ${sql.raw(String(limit))} then 1 else 0 end,
      (select indisvalid from pg_index where indexrelid = to_regclass(${name})),
      quote_ident(current_schema()), (select quote_ident(nspname) from pg_extension
        join pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector')`,
  );
  // The connection that runs these statements has no search path, so they qualify the schema.
  const [requested, valid, schema, ofVectors] = row ?? [0, null, "", ""];
  if (requested === 0 || valid === 1) return [];
  return [
    `drop index concurrently if exists ${schema}.${name}`,
    `create index concurrently ${name} on ${schema}.vector_signs_${kind} using hnsw (bits ${ofVectors}.bit_hamming_ops)`,
  ];
}

const MAX_NEIGHBOURS = 128;
const MAX_NEIGHBOURS_WHEN_FILTERED = 256;
/** Up to this number an exhaustive comparison is as fast as a nearest-neighbor search. */
const MAX_VECTORS_TO_SCAN = 400;

/** Compares sign bits by pgvector, or without it exhaustively in PostgreSQL. */
export const pgvectorIndex: VectorIndex = {
  isOfOneLength: true,

  async exists(tx) {
    return (await signsTables(tx, {})).length === INDEXED_KINDS.length;
  },

  async create(tx, dimensions) {
    await installPgvector(tx);
    for (const kind of INDEXED_KINDS) {
      await tx.run(
        sql`create table if not exists ${signsTable(kind)} (number bigint primary key, bits bit(${sql.raw(String(dimensions))}) not null)`,
      );
    }
  },

  async drop(tx) {
    for (const kind of INDEXED_KINDS) await tx.run(sql`drop table if exists ${signsTable(kind)}`);
  },

  async add(tx, { kind, number }, vector) {
    await tx.run(
      sql`insert into ${signsTable(kind)} (number, bits) values (${number}, ${formatSigns(vector)})`,
    );
  },

  async remove(tx, kind, numbers) {
    await tx.run(sql`delete from ${signsTable(kind)} where number in (${numberSet(numbers)})`);
  },

  loadCoverage: loadStanding,
  nearest: findNearestItems,
  refinements: (tx) => listMissingGraphs(tx),

  async shortcoming(tx) {
    const [standing] = await pgvectorRows(tx, {});
    if (standing?.[0] === "comes") return "not known yet";
    return standing?.[0] === "there" ? undefined : { message: NO_PGVECTOR_NOTE };
  },

  findProblems: findSignProblems,
  differing: findDifferingItems,

  /** PostgreSQL keeps the neighbor graph consistent. */
  isBlind: () => Promise.resolve(false),
};

const NO_PGVECTOR_NOTE =
  "PostgreSQL has no pgvector here: vectors are compared one by one, which takes long where there are more than 20 000. Install it on the server, then run `create extension vector` in the database.";

/** If pgvector is available, it is installed with the first vector. */
const pgvectorRows = rowQuery<[standing: "there" | "comes" | "lacks"]>(
  () => sql`select case when ${hasPgvector} then 'there'
    when to_regclass('vector_signs_episode') is null and ${offersPgvector} then 'comes'
    else 'lacks' end`,
);

const signsTables = rowQuery<[name: string]>(
  () =>
    sql`select relname::text from pg_class where oid in (${sql.raw(INDEXED_KINDS.map((kind) => `to_regclass('vector_signs_${kind}')`).join())})`,
);

async function loadStanding(tx: Tx, kinds: readonly IndexedKind[]): Promise<VectorCoverage> {
  const rows = await manyVectors(tx, {}, ofKinds(kinds));
  const existing = new Set(rows.flatMap(([what, isThere]) => (isThere === 1 ? [what] : [])));
  return { graph: existing.has("pgvector"), many: kinds.filter((kind) => existing.has(kind)) };
}

const manyVectors = rowQuery<[what: IndexedKind | "pgvector", isThere: number], KindsShape>(
  ({ kinds }) => {
    const ofKind = (kind: IndexedKind) =>
      sql`select ${getName(kind)}, case when count(*) > ${sql.raw(String(MAX_VECTORS_TO_SCAN))} then 1 else 0 end
      from ${countUpTo(kind)}`;
    return sql`select 'pgvector', case when ${hasPgvector} then 1 else 0 end
      union all ${sql.join(kinds.map(ofKind), sql` union all `)}`;
  },
);

const getName = (kind: IndexedKind) => sql.raw(`'${kind}'`);

const countUpTo = (
  kind: IndexedKind,
) => sql`(select item_id from vectors where kind = ${getName(kind)}
        limit ${sql.raw(String(MAX_VECTORS_TO_SCAN + 1))}) of_${sql.raw(kind)}`;

async function findNearestItems(
  tx: Tx,
  { vector, ofAPart = false, kinds = INDEXED_KINDS, coverage: known }: NeighbourQuery,
): Promise<Record<IndexedKind, number[]>> {
  const neighbours = ofAPart ? MAX_NEIGHBOURS_WHEN_FILTERED : MAX_NEIGHBOURS;
  const found = forEachKind((): number[] => []);
  const search = async (searched: readonly IndexedKind[], graph: boolean) => {
    if (searched.length === 0) return;
    if (graph) await tx.run(sql.raw(`set local hnsw.ef_search = ${2 * neighbours}`));
    const dimensions = vector.length;
    const rows = await nearest(
      tx,
      { bits: formatSigns(vector), neighbours },
      { shape: `${searched.join()} ${dimensions} ${graph}`, searched, dimensions, graph },
    );
    for (const [kind, number] of rows) found[kind].push(number);
  };
  const many = kinds.filter((kind) => known?.many.includes(kind));
  const others = kinds.filter((kind) => !many.includes(kind));
  const [, additional] = await settleAll(
    search(many, known?.graph === true),
    others.length === 0 ? NO_GRAPH : takeLimited(tx, others, found),
  );
  await search(additional.searched, additional.graph);
  return found;
}

const NO_GRAPH = Promise.resolve({ graph: false, searched: [] });

async function takeLimited(
  tx: Tx,
  kinds: readonly IndexedKind[],
  found: Record<IndexedKind, number[]>,
): Promise<{ readonly graph: boolean; readonly searched: readonly IndexedKind[] }> {
  const [settings, ...few] = await someWithVectors(tx, {}, ofKinds(kinds));
  const searched: IndexedKind[] = [];
  for (const [kind, _isThere, numbers] of few) {
    if (numbers === null) searched.push(kind as IndexedKind);
    else found[kind as IndexedKind] = JSON.parse(numbers) as number[];
  }
  return { graph: settings?.[1] === 1, searched };
}

/** Columns: whether pgvector is installed; per kind a JSON list of items, or null if too many. */
const someWithVectors = rowQuery<
  [kind: IndexedKind | "pgvector", isThere: number | null, numbers: string | null],
  KindsShape
>(({ kinds }) => {
  const ofKind = (kind: IndexedKind) =>
    sql`select ${getName(kind)}, null, case when count(*) <= ${sql.raw(String(MAX_VECTORS_TO_SCAN))}
        then coalesce(json_agg(item_id), '[]')::text end
      from ${countUpTo(kind)}`;
  return sql`select 'pgvector', case when ${hasPgvector} then 1 else 0 end, null
    union all ${sql.join(kinds.map(ofKind), sql` union all `)}`;
});

interface Search extends QueryShape {
  readonly searched: readonly IndexedKind[];
  readonly dimensions: number;
  readonly graph: boolean;
}

const nearest = rowQuery<[kind: IndexedKind, number: number], Search>(
  ({ searched, dimensions, graph }) => {
    const requested = sql`${sql.placeholder("bits")}::bit(${sql.raw(String(dimensions))})`;
    const distance = graph ? sql`bits <~> ${requested}` : sql`bit_count(bits # ${requested})`;
    const ofKind = (kind: IndexedKind) =>
      sql`select ${sql.raw(`'${kind}'`)}, number from (
        select number from ${signsTable(kind)} order by ${distance} limit ${sql.placeholder("neighbours")}
      ) near_${sql.raw(kind)}`;
    return sql.join(searched.map(ofKind), sql` union all `);
  },
);
