import { eq } from "drizzle-orm";
import { invalidInput } from "../../shared/errors.ts";
import type { WriteContext } from "../context/write-context.ts";
import { type ConceptRow, requireConcept } from "./concept.queries.ts";
import { relations } from "./concept.table.ts";

export interface NewRelation {
  readonly type: string;
  readonly target_id: string;
  /** 0..1 */
  readonly strength: number;
}

/** Writes the edge, or replaces the strength of the same one. */
export async function putRelation(
  { tx }: WriteContext,
  source: ConceptRow,
  relation: { target: ConceptRow; type: string; strength: number },
): Promise<void> {
  if (source.id === relation.target.id) {
    throw invalidInput("to: a concept cannot be linked to itself; name another concept");
  }
  const { type, strength } = relation;
  await tx
    .insert(relations)
    .values({ sourceId: source.id, targetId: relation.target.id, type, strength })
    .onConflictDoUpdate({
      target: [relations.sourceId, relations.targetId, relations.type],
      set: { strength },
    });
}

export async function addRelations(
  context: WriteContext,
  source: ConceptRow,
  list: readonly NewRelation[],
): Promise<void> {
  for (const { type, target_id, strength } of list) {
    const target = await requireConcept(context.tx, target_id, "relations");
    await putRelation(context, source, { target, type, strength });
  }
}

/** Replaces every edge that starts at the concept. */
export async function replaceRelations(
  context: WriteContext,
  source: ConceptRow,
  list: readonly NewRelation[],
): Promise<void> {
  await context.tx.delete(relations).where(eq(relations.sourceId, source.id));
  await addRelations(context, source, list);
}
