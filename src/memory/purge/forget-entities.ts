import { and, eq, like, notLike, or, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { entities, entityRelations } from "../entities/entity.table.ts";
import { episodeEntities } from "../episodes/episode.table.ts";
import { rowChanges } from "../events/change.table.ts";
import { eventItems, events } from "../events/event.table.ts";
import { clusterEntities } from "../facts/fact.table.ts";
import { imageOf } from "../history/describe-rows.ts";
import { clearNotes } from "./clear-notes.ts";
import { PURGED } from "./text-columns.ts";

export async function forgetLoneEntities(tx: Tx, episode: number): Promise<void> {
  for (const entity of await entitiesEverNamed(tx, episode)) {
    if (!(await isUsed(tx, { entity, episode }))) await remove(tx, entity);
  }
}

export async function forgetEntity(tx: Tx, entity: number): Promise<boolean> {
  if (await isUsed(tx, { entity, episode: 0 })) return false;
  await remove(tx, entity);
  return true;
}

async function remove(tx: Tx, entity: number): Promise<void> {
  const ids = await idsEverShown(tx, entity);
  await tx.delete(clusterEntities).where(eq(clusterEntities.entityId, entity));
  await tx.delete(entities).where(eq(entities.id, entity));
  await clearNotes(tx, isRowOf(entity));
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
        subjectId: subject === item ? `${type}:${PURGED}` : subject,
        payload: { op: payload?.op ?? null, relation: payload?.relation ?? null },
      })
      .where(eq(events.seq, seq));
  }
}

async function entitiesEverNamed(tx: Tx, episode: number): Promise<Set<number>> {
  const mentioned = await tx
    .delete(episodeEntities)
    .where(eq(episodeEntities.episodeId, episode))
    .returning({ id: episodeEntities.entityId });
  const logged = await tx
    .select({ key: rowChanges.rowKey })
    .from(rowChanges)
    .where(
      and(eq(rowChanges.tableName, "episode_entities"), like(rowChanges.rowKey, `[${episode},%`)),
    );
  return new Set([
    ...mentioned.map(({ id }) => id),
    ...logged.map(({ key }) => (JSON.parse(key) as [number, number])[1]),
  ]);
}

async function isUsed(
  tx: Tx,
  { entity, episode }: { entity: number; episode: number },
): Promise<boolean> {
  const mentions = tx
    .select({ one: sql`1` })
    .from(episodeEntities)
    .where(eq(episodeEntities.entityId, entity))
    .limit(1);
  const relations = tx
    .select({ one: sql`1` })
    .from(entityRelations)
    .where(or(eq(entityRelations.sourceId, entity), eq(entityRelations.targetId, entity)))
    .limit(1);
  const logged = tx
    .select({ one: sql`1` })
    .from(rowChanges)
    .where(
      and(
        eq(rowChanges.purged, false),
        or(
          and(
            eq(rowChanges.tableName, "episode_entities"),
            like(rowChanges.rowKey, `%,${entity}]`),
            notLike(rowChanges.rowKey, `[${episode},%`),
          ),
          and(
            eq(rowChanges.tableName, "entity_relations"),
            or(like(rowChanges.rowKey, `[${entity},%`), like(rowChanges.rowKey, `[%,${entity},%`)),
          ),
        ),
      ),
    )
    .limit(1);
  for (const query of [mentions, relations, logged]) {
    if ((await query).length > 0) return true;
  }
  return false;
}

const isRowOf = (entity: number) =>
  and(eq(rowChanges.tableName, "entities"), eq(rowChanges.rowKey, JSON.stringify([entity])));

interface ShownName {
  readonly type: string;
  readonly name: string;
}

async function idsEverShown(tx: Tx, entity: number): Promise<ShownName[]> {
  const shown: ShownName[] = await tx
    .select({ type: entities.type, name: entities.name })
    .from(entities)
    .where(eq(entities.id, entity));
  const logged = await tx.select().from(rowChanges).where(isRowOf(entity));
  for (const row of logged) {
    for (const { type, name } of [imageOf(row.before), imageOf(row.after)]) {
      if (typeof type === "string" && typeof name === "string") shown.push({ type, name });
    }
  }
  return shown;
}

/** Does nothing if the name is in use again, by an entity with another number. */
async function forgetInFeed(tx: Tx, type: string, name: string): Promise<void> {
  const again = await tx
    .select({ id: entities.id })
    .from(entities)
    .where(and(eq(entities.type, type), eq(entities.name, name)))
    .limit(1);
  if (again.length > 0) return;
  await tx.delete(eventItems).where(eq(eventItems.item, `${type}:${name}`));
}
