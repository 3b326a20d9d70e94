import { asc, eq, inArray, or } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { invalidInput } from "../../shared/errors.ts";
import { type EntityRow, entityId } from "./entity.queries.ts";
import { entities, entityRelations } from "./entity.table.ts";

export interface NewEntityRelation {
  readonly source: EntityRow;
  readonly target: EntityRow;
  readonly relation: string;
  readonly strength: number;
  readonly context: string | null;
}

/** Writes the relation, or replaces the strength and context of the same one. */
export async function putEntityRelation(
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

/** Relations in which the entity is source or target; all of them without an entity. */
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
