import { sql } from "drizzle-orm";
import { rowsOf, type Tx } from "../../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { hasPgvector } from "./pgvector.ts";
import { signsTable } from "./signs-table.ts";

/** Comparing so many vectors one by one takes about 10 ms; a graph costs 6 ms for each added vector. */
const MAX_WITHOUT_GRAPH = 20_000;

/**
 * Statements that build the neighbour graph (HNSW, Malkov and Yashunin 2018) for each kind that has many
 * vectors and no graph yet, while others go on writing. A graph whose build was interrupted is built again.
 */
export async function graphsToMake(
  tx: Tx,
  { beyond = MAX_WITHOUT_GRAPH } = {},
): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const kind of INDEXED_KINDS) statements.push(...(await graphOf(tx, kind, beyond)));
  return statements;
}

async function graphOf(tx: Tx, kind: IndexedKind, most: number): Promise<readonly string[]> {
  const name = `vector_signs_${kind}_near`;
  const many = sql`select 1 from ${signsTable(kind)} limit ${sql.raw(String(most + 1))}`;
  const [row] = await rowsOf<
    [wanted: number, valid: number | null, schema: string, ofVectors: string]
  >(
    tx,
    sql`select case when ${hasPgvector} and (select count(*) from (${many}) held) > ${sql.raw(String(most))} then 1 else 0 end,
      (select indisvalid from pg_index where indexrelid = to_regclass(${name})),
      quote_ident(current_schema()), (select quote_ident(nspname) from pg_extension
        join pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector')`,
  );
  // The connection that runs these statements has no search path, so they name the schema.
  const [wanted, valid, schema, ofVectors] = row ?? [0, null, "", ""];
  if (wanted === 0 || valid === 1) return [];
  return [
    `drop index concurrently if exists ${schema}.${name}`,
    `create index concurrently ${name} on ${schema}.vector_signs_${kind} using hnsw (bits ${ofVectors}.bit_hamming_ops)`,
  ];
}
