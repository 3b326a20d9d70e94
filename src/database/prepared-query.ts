import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "./database.ts";

export type QueryValues = Readonly<Record<string, unknown>>;

/** Queries of equal shape have equal text. */
export interface QueryShape {
  readonly shape: string;
}

/**
 * A query that is composed once per connection and shape, because composing takes longer than
 * running most queries. Everything that differs between calls must be a placeholder.
 */
export function rowQuery<Row extends unknown[], Shape extends QueryShape = QueryShape>(
  build: (shape: Shape) => SQL,
): (tx: Tx, values: QueryValues, shape?: Shape) => Promise<Row[]> {
  const prepare = preparedQuery((tx, shape: Shape) =>
    tx
      .select({ everything: sql`*` })
      .from(sql`(${build(shape)}) as found`)
      .prepare(),
  );
  return async (tx, values, shape) => (await prepare(tx, shape).values(values)) as Row[];
}

/**
 * Limit placeholder. SQLite inspects the value of a bare parameter while planning, and therefore
 * replans on each run; an expression avoids this.
 */
export function limitNamed(name: string): SQL {
  return sql`cast(${sql.placeholder(name)} as integer)`;
}

/** Prepares a Drizzle query once per connection and shape. */
export function preparedQuery<Query, Shape extends QueryShape = QueryShape>(
  build: (tx: Tx, shape: Shape) => Query,
): (tx: Tx, shape?: Shape) => Query {
  const known = new WeakMap<Tx, Map<string, Query>>();
  return (tx, shape = { shape: "" } as Shape) => {
    const ofConnection = known.get(tx) ?? new Map<string, Query>();
    known.set(tx, ofConnection);
    const query = ofConnection.get(shape.shape) ?? build(tx, shape);
    ofConnection.set(shape.shape, query);
    return query;
  };
}

/** Runs a query that is composed per call, because its conditions differ. */
export async function selectRows<Row extends unknown[]>(tx: Tx, query: SQL): Promise<Row[]> {
  return (await tx.select({ everything: sql`*` }).from(sql`(${query}) as found`).values()) as Row[];
}
