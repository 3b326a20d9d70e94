import { eq } from "drizzle-orm";
import { invalidInput } from "../../shared/errors.ts";
import type { WriteContext } from "../context/write-context.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import { labelText } from "../input/parse-labels.ts";
import { replaceLabels } from "../labels/label.queries.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { type ConceptRow, requireConcept } from "./concept.queries.ts";
import { concepts, relations } from "./concept.table.ts";

export interface NewRelation {
  readonly type: string;
  readonly target_id: string;
  readonly strength: number;
}

export async function upsertRelation(
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
    await upsertRelation(context, source, { target, type, strength });
  }
}

export async function replaceRelations(
  context: WriteContext,
  source: ConceptRow,
  list: readonly NewRelation[],
): Promise<void> {
  await context.tx.delete(relations).where(eq(relations.sourceId, source.id));
  await addRelations(context, source, list);
}

interface ConceptChanges {
  readonly concept_id: string;
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
  readonly confidence?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly relations?: readonly NewRelation[] | undefined;
  readonly labels?: readonly LabelRecord[] | undefined;
}

export async function updateConceptFields(
  context: WriteContext,
  changes: ConceptChanges,
): Promise<number> {
  const { tx, now } = context;
  const { concept_id: id, ...fields } = changes;
  const values = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (values.length === 0) {
    throw invalidInput("update: names no field to change; give at least one of title, summary, …");
  }
  const row = await requireConcept(tx, id, "concept_id");
  const { title, summary, confidence, tags } = fields;
  if (summary !== undefined) checkTextSize(context.limits, "summary", summary);
  await tx
    .update(concepts)
    .set({
      updatedAt: now,
      ...(title !== undefined && { title }),
      ...(summary !== undefined && { summary }),
      ...(confidence !== undefined && { confidence }),
      ...(tags !== undefined && { tags: [...tags] }),
    })
    .where(eq(concepts.id, row.id));
  if (fields.relations !== undefined) await replaceRelations(context, row, fields.relations);
  if (fields.labels !== undefined) {
    const subject = { type: "concept", number: row.id } as const;
    await replaceLabels(tx, subject, fields.labels);
  }
  context.touch("concept", row.id);
  await context.emit({
    kind: "updated",
    subjectType: "concept",
    subjectId: row.publicId,
    payload: { op: "update", fields: values.map(([name]) => name) },
    about: (fields.labels ?? []).map(labelText),
  });
  return row.id;
}
