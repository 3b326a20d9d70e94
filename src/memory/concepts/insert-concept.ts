import type { WriteContext } from "../context/write-context.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import { addLabels } from "../labels/label.queries.ts";
import type { LabelRecord } from "../labels/label.schema.ts";
import { addSources, type ConceptRow } from "./concept.queries.ts";
import { concepts } from "./concept.table.ts";

export interface NewConcept {
  readonly title: string;
  readonly summary: string;
  readonly type: string;
  readonly confidence?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly labels?: readonly LabelRecord[] | undefined;
  readonly topicId?: string | null | undefined;
  readonly sources: readonly number[];
  readonly splitFrom?: number | undefined;
  readonly lineageNote?: string | null | undefined;
}

export async function insertConcept(
  context: WriteContext,
  concept: NewConcept,
): Promise<ConceptRow> {
  const { tx, now, ids } = context;
  checkTextSize(context.limits, "summary", concept.summary);
  const [row] = await tx
    .insert(concepts)
    .values({
      publicId: ids.next("c"),
      title: concept.title,
      summary: concept.summary,
      confidence: concept.confidence ?? 0.5,
      type: concept.type,
      tags: [...(concept.tags ?? [])],
      topicId: concept.topicId ?? null,
      instanceCount: new Set(concept.sources).size,
      splitFrom: concept.splitFrom ?? null,
      lineageNote: concept.lineageNote ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  if (row === undefined) throw new Error("The concept was not stored.");
  await addSources(tx, row.id, concept.sources);
  await addLabels(tx, { type: "concept", number: row.id }, concept.labels ?? []);
  context.touch("concept", row.id);
  return row;
}
