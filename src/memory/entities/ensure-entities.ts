import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { insertRows, listOfRows, preparedQuery, rowsNamed, type Tx } from "../../database/index.ts";
import type { EntityName } from "../input/parse-entity.ts";
import type { EntityRow } from "./entity.queries.ts";
import { entities } from "./entity.table.ts";

export async function ensureEntities(
  tx: Tx,
  names: readonly EntityName[],
  now: string,
): Promise<EntityRow[]> {
  if (names.length === 0) return [];
  const known = await findEntities(tx, names);
  const unknown = names.filter((name) => !known.has(placeOf(name)));
  await addEntities(tx, unknown, now);
  const all = unknown.length === 0 ? known : await findEntities(tx, names);
  return names.flatMap((name) => all.get(placeOf(name)) ?? []);
}

/** Writes entities that are not known, each once. */
export function addEntities(tx: Tx, unknown: readonly EntityName[], now: string): Promise<void> {
  const once = new Map(unknown.map((name) => [placeOf(name), name]));
  return insertEntities(
    tx,
    Array.from(once.values(), ({ type, name, key }) => ({ type, name, key, createdAt: now })),
  );
}

const placeOf = ({ type, key }: { type: string; key: string }) => `${type}:${key}`;

const insertEntities = insertRows(entities);

async function findEntities(tx: Tx, names: readonly EntityName[]): Promise<Map<string, EntityRow>> {
  const wanted = listOfRows(names.map(({ type, key }) => [type, key]));
  const rows = await entitiesByKey(tx).execute({ wanted });
  return new Map(rows.map((row) => [placeOf(row), row]));
}

const entitiesByKey = preparedQuery((tx) =>
  tx
    .select({ ...getTableColumns(entities) })
    .from(sql`(${rowsNamed("wanted", { type: "text", key: "text" })}) wanted`)
    .crossJoin(entities)
    .where(and(eq(entities.type, sql`wanted.type`), eq(entities.key, sql`wanted.key`)))
    .prepare(),
);
