import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import {
  insertRows,
  listOfRows,
  preparedQuery,
  rowsParameter,
  type Tx,
} from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { indexBy } from "../../shared/collections.ts";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { isBelow, type Page } from "../context/page-cursor.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { type EntityName, parseEntity } from "../input/parse-entity.ts";
import { sumTotals } from "../totals.ts";
import type { EntityRecord } from "./entity.schema.ts";
import { entities, entityRelations } from "./entity.table.ts";

export type EntityRow = typeof entities.$inferSelect;

export const entityId = (entity: { type: string; name: string }): string =>
  `${entity.type}:${entity.name}`;

export async function findEntity(tx: Tx, name: EntityName): Promise<EntityRow | undefined> {
  const [row] = await entityByKey(tx).execute({ type: name.type, key: name.key });
  return row;
}

const entityByKey = preparedQuery((tx) =>
  tx
    .select()
    .from(entities)
    .where(
      and(eq(entities.type, sql.placeholder("type")), eq(entities.key, sql.placeholder("key"))),
    )
    .prepare(),
);

/** Throws invalid_input for a malformed id, not_found for an unknown one. */
export async function requireEntity(tx: Tx, id: string): Promise<EntityRow> {
  const row = await findEntity(tx, parseEntity(id));
  if (row === undefined) throw notFound(`There is no entity "${id}". \`entities\` lists them.`);
  return row;
}

export type EntityPosition = readonly [mentions: number, number: number];

export interface EntityFilter {
  readonly type?: string | undefined;
  readonly passes?: SQL | undefined;
}

export async function listEntityPositions(
  tx: Tx,
  { type, passes }: EntityFilter = {},
  page?: Page,
): Promise<EntityPosition[]> {
  const mentions = count(episodes.id);
  const query = tx
    .select({ mentions, id: entities.id })
    .from(entities)
    .leftJoin(episodeEntities, eq(episodeEntities.entityId, entities.id))
    .leftJoin(episodes, and(eq(episodes.id, episodeEntities.episodeId), isNull(episodes.deletedAt)))
    .where(and(type === undefined ? undefined : eq(entities.type, type), passes))
    .groupBy(entities.id)
    .having(isBelow([mentions, entities.id], page?.after))
    .orderBy(desc(mentions), desc(entities.id));
  const rows = page === undefined ? await query : await query.limit(page.limit).offset(page.offset);
  return rows.map((row) => [row.mentions, row.id]);
}

export async function loadEntities(
  tx: Tx,
  locations: readonly EntityPosition[],
): Promise<EntityRecord[]> {
  const rows = await loadInBatches(locations, (slice) =>
    tx
      .select()
      .from(entities)
      .where(
        inArray(
          entities.id,
          slice.map(([, number]) => number),
        ),
      ),
  );
  const byNumber = indexBy(rows, ({ id }) => id);
  return locations.flatMap(([mentions, number]) => {
    const row = byNumber.get(number);
    return row === undefined ? [] : toEntityRecord(row, mentions);
  });
}

export async function countEntities(tx: Tx, { type, passes }: EntityFilter): Promise<number> {
  if (passes === undefined) {
    return sumTotals(tx, { kinds: ["entities"], names: type === undefined ? undefined : [type] });
  }
  const [row] = await tx
    .select({ total: count() })
    .from(entities)
    .where(and(type === undefined ? undefined : eq(entities.type, type), passes));
  return row?.total ?? 0;
}

export function toEntityRecord(row: EntityRow, mentions: number): EntityRecord {
  return {
    id: entityId(row),
    type: row.type,
    name: row.name,
    mention_count: mentions,
    created_at: row.createdAt,
  };
}

export async function ensureEntities(
  tx: Tx,
  names: readonly EntityName[],
  now: string,
): Promise<EntityRow[]> {
  if (names.length === 0) return [];
  const known = await findEntities(tx, names);
  const unknown = names.filter((name) => !known.has(getLocation(name)));
  await addEntities(tx, unknown, now);
  const all = unknown.length === 0 ? known : await findEntities(tx, names);
  return names.flatMap((name) => all.get(getLocation(name)) ?? []);
}

export function addEntities(tx: Tx, unknown: readonly EntityName[], now: string): Promise<void> {
  const once = new Map(unknown.map((name) => [getLocation(name), name]));
  return insertEntities(
    tx,
    Array.from(once.values(), ({ type, name, key }) => ({ type, name, key, createdAt: now })),
  );
}

const getLocation = ({ type, key }: { type: string; key: string }) => `${type}:${key}`;

const insertEntities = insertRows(entities);

async function findEntities(tx: Tx, names: readonly EntityName[]): Promise<Map<string, EntityRow>> {
  const keys = listOfRows(names.map(({ type, key }) => [type, key]));
  const rows = await entitiesByKey(tx).execute({ wanted: keys });
  return new Map(rows.map((row) => [getLocation(row), row]));
}

const entitiesByKey = preparedQuery((tx) =>
  tx
    .select({ ...getTableColumns(entities) })
    .from(sql`(${rowsParameter("wanted", { type: "text", key: "text" })}) wanted`)
    .crossJoin(entities)
    .where(and(eq(entities.type, sql`wanted.type`), eq(entities.key, sql`wanted.key`)))
    .prepare(),
);

interface NewEntityRelation {
  readonly source: EntityRow;
  readonly target: EntityRow;
  readonly relation: string;
  readonly strength: number;
  readonly context: string | null;
}

export async function upsertEntityRelation(
  tx: Tx,
  relation: NewEntityRelation,
  now: string,
): Promise<void> {
  if (relation.source.id === relation.target.id) {
    throw invalidInput("target: an entity cannot be related to itself; name another one");
  }
  const { strength, context } = relation;
  await tx
    .insert(entityRelations)
    .values({
      sourceId: relation.source.id,
      targetId: relation.target.id,
      relation: relation.relation,
      strength,
      context,
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: [entityRelations.sourceId, entityRelations.targetId, entityRelations.relation],
      set: { strength, context },
    });
}

export async function listEntityRelations(tx: Tx, entityNumber?: number) {
  const rows = await tx
    .select()
    .from(entityRelations)
    .where(
      entityNumber === undefined
        ? undefined
        : or(
            eq(entityRelations.sourceId, entityNumber),
            eq(entityRelations.targetId, entityNumber),
          ),
    )
    .orderBy(
      asc(entityRelations.createdAt),
      asc(entityRelations.sourceId),
      asc(entityRelations.targetId),
      asc(entityRelations.relation),
    );
  const numbers = [...new Set(rows.flatMap((row) => [row.sourceId, row.targetId]))];
  const found = await loadInBatches(numbers, (slice) =>
    tx.select().from(entities).where(inArray(entities.id, slice)),
  );
  const ids = new Map(found.map((row) => [row.id, entityId(row)]));
  return rows.map((row) => ({
    source: ids.get(row.sourceId) ?? "",
    target: ids.get(row.targetId) ?? "",
    relation: row.relation,
    strength: row.strength,
    context: row.context,
  }));
}
