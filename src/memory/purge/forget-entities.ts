import { and, eq, like, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { entities, entityRelations } from "../entities/entity.table.ts";
import { episodeEntities } from "../episodes/episode.table.ts";
import { rowChanges } from "../events/change.table.ts";
import { eventItems, events } from "../events/event.table.ts";
import { clusterEntities } from "../facts/fact.table.ts";
import { parseImage } from "../history/describe-rows.ts";
import { clearNotes, keyEndsWith, keyStartsWith } from "./clear-notes.ts";
import { PURGED_TEXT } from "./text-columns.ts";

export async function forgetUnmentionedEntities(
  tx: Tx,
  episodes: readonly number[],
): Promise<void> {
  const named = new Set<number>();
  for (const episode of episodes) {
    for (const entity of await findEntitiesEverNamed(tx, episode)) named.add(entity);
  }
  await forgetUnused(tx, [...named]);
}

export async function forgetUnused(tx: Tx, named: readonly number[]): Promise<void> {
  const lone: number[] = [];
  for (const entity of named) if (!(await isUsed(tx, entity))) lone.push(entity);
  const logged = await usedInLog(tx, lone);
  for (const entity of lone) if (!logged.has(entity)) await removeEntities(tx, entity);
}

async function removeEntities(tx: Tx, entity: number): Promise<void> {
  const ids = await findIdsEverShown(tx, entity);
  await tx.delete(clusterEntities).where(eq(clusterEntities.entityId, entity));
  await tx.delete(entities).where(eq(entities.id, entity));
  await clearNotes(tx, entityRowCondition(entity));
  for (const { type, name } of ids) {
    await forgetRelatedEvents(tx, type, name);
    await forgetInFeed(tx, type, name);
  }
}

async function forgetRelatedEvents(tx: Tx, type: string, name: string): Promise<void> {
  const item = `${type}:${name}`;
  const found = await tx
    .select({ seq: events.seq, subject: events.subjectId, payload: events.payload })
    .from(eventItems)
    .innerJoin(events, eq(events.seq, eventItems.seq))
    .where(and(eq(eventItems.item, item), eq(events.subjectType, "entity")));
  for (const { seq, subject, payload } of found) {
    await tx
      .update(events)
      .set({
        subjectId: subject === item ? `${type}:${PURGED_TEXT}` : subject,
        payload: { op: payload?.op ?? null, relation: payload?.relation ?? null },
      })
      .where(eq(events.seq, seq));
  }
}

async function findEntitiesEverNamed(tx: Tx, episode: number): Promise<number[]> {
  const logged = await tx
    .select({ key: rowChanges.rowKey })
    .from(rowChanges)
    .where(and(eq(rowChanges.tableName, "episode_entities"), keyStartsWith(episode)));
  return logged.map(({ key }) => (JSON.parse(key) as [number, number])[1]);
}

async function isUsed(tx: Tx, entity: number): Promise<boolean> {
  const one = { one: sql`1` };
  const { sourceId, targetId } = entityRelations;
  const uses = [
    tx.select(one).from(episodeEntities).where(eq(episodeEntities.entityId, entity)).limit(1),
    tx.select(one).from(entityRelations).where(eq(sourceId, entity)).limit(1),
    tx.select(one).from(entityRelations).where(eq(targetId, entity)).limit(1),
  ];
  for (const use of uses) if ((await use).length > 0) return true;
  return false;
}

/** SQLite allows about a thousand conditions; each entity takes three. */
const ENTITIES_PER_BATCH = 200;

/**
 * Returns entities in logged rows, which an undo or redo would need. The log has no index by
 * entity, so it is scanned once for all.
 */
async function usedInLog(tx: Tx, entities: readonly number[]): Promise<Set<number>> {
  const { tableName, rowKey, purged } = rowChanges;
  const getKeys = (table: string, matches: (slice: readonly number[]) => SQL | undefined) =>
    loadInBatches(
      entities,
      (slice) =>
        tx
          .selectDistinct({ key: rowKey })
          .from(rowChanges)
          .where(and(eq(tableName, table), eq(purged, false), matches(slice))),
      ENTITIES_PER_BATCH,
    );
  const mentions = await getKeys("episode_entities", keyEndsWith);
  const relations = await getKeys("entity_relations", (slice) =>
    or(...slice.flatMap((one) => [keyStartsWith(one), like(rowKey, `[%,${one},%`)])),
  );
  return new Set([
    ...mentions.map(({ key }) => (JSON.parse(key) as [number, number])[1]),
    ...relations.flatMap(({ key }) => (JSON.parse(key) as [number, number]).slice(0, 2)),
  ]);
}

const entityRowCondition = (entity: number) =>
  and(eq(rowChanges.tableName, "entities"), eq(rowChanges.rowKey, JSON.stringify([entity])));

interface ShownName {
  readonly type: string;
  readonly name: string;
}

async function findIdsEverShown(tx: Tx, entity: number): Promise<ShownName[]> {
  const names: ShownName[] = await tx
    .select({ type: entities.type, name: entities.name })
    .from(entities)
    .where(eq(entities.id, entity));
  const logged = await tx.select().from(rowChanges).where(entityRowCondition(entity));
  for (const row of logged) {
    for (const { type, name } of [parseImage(row.before), parseImage(row.after)]) {
      if (typeof type === "string" && typeof name === "string") names.push({ type, name });
    }
  }
  return names;
}

/** Does nothing if an entity with another number now uses the name. */
async function forgetInFeed(tx: Tx, type: string, name: string): Promise<void> {
  const again = await tx
    .select({ id: entities.id })
    .from(entities)
    .where(and(eq(entities.type, type), eq(entities.name, name)))
    .limit(1);
  if (again.length > 0) return;
  await tx.delete(eventItems).where(eq(eventItems.item, `${type}:${name}`));
}
