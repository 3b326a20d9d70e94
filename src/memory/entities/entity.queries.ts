import { and, count, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { preparedQuery, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { indexBy } from "../../shared/collections.ts";
import { notFound } from "../../shared/errors.ts";
import { isBelow, type Page } from "../context/place.ts";
import { episodeEntities, episodes } from "../episodes/episode.table.ts";
import { type EntityName, parseEntity } from "../input/parse-entity.ts";
import { sumTotals } from "../totals.ts";
import type { EntityRecord } from "./entity.schema.ts";
import { entities } from "./entity.table.ts";

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

/** The entity with this id. Throws invalid_input for a malformed id, not_found for an unknown one. */
export async function requireEntity(tx: Tx, id: string): Promise<EntityRow> {
  const row = await findEntity(tx, parseEntity(id));
  if (row === undefined) throw notFound(`There is no entity "${id}". \`entities\` lists them.`);
  return row;
}

export type EntityPlace = readonly [mentions: number, number: number];

export interface EntityFilter {
  readonly type?: string | undefined;
  readonly passes?: SQL | undefined;
}

/** Entities by their mentions, most mentioned first, then newest. */
export async function listEntityPlaces(
  tx: Tx,
  { type, passes }: EntityFilter = {},
  page?: Page,
): Promise<EntityPlace[]> {
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

/** The entities at these places, in their order. */
export async function loadEntities(
  tx: Tx,
  places: readonly EntityPlace[],
): Promise<EntityRecord[]> {
  const rows = await loadInBatches(places, (slice) =>
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
  return places.flatMap(([mentions, number]) => {
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
