import { and, eq, inArray, or } from "drizzle-orm";
import { stateConflict } from "../../shared/errors.ts";
import type { WriteContext } from "../context/write-context.ts";
import { facts } from "../facts/fact.table.ts";
import { conceptLabels } from "../labels/label.table.ts";
import type { ConceptRow } from "./concept.queries.ts";
import { conceptSources, concepts, evidence, relations } from "./concept.table.ts";
import { refreshCluster } from "./refresh-cluster.ts";

export async function mergeConcepts(
  context: WriteContext,
  sources: readonly ConceptRow[],
  { target, note }: { target: ConceptRow; note: string | null },
): Promise<void> {
  const { tx, now } = context;
  const moved = sources.filter((source) => source.id !== target.id);
  if (moved.length === 0) {
    throw stateConflict("from: the only concept to merge is the target itself; name another one");
  }
  for (const source of moved) {
    await moveSources(context, source.id, target.id);
    await moveEvidence(context, source.id, target.id);
    await moveLabels(context, source.id, target.id);
    await moveRelations(context, source.id, target.id);
    await tx.update(facts).set({ clusterId: target.id }).where(eq(facts.clusterId, source.id));
  }
  const numbers = moved.map((source) => source.id);
  await tx
    .update(concepts)
    .set({ deletedAt: now, updatedAt: now, mergedInto: target.id })
    .where(inArray(concepts.id, numbers));
  if (note !== null) {
    await tx.update(concepts).set({ lineageNote: note }).where(eq(concepts.id, target.id));
  }
  await refreshCluster(context, target.id);
  for (const number of numbers) await refreshCluster(context, number);
}

async function moveSources({ tx }: WriteContext, from: number, into: number): Promise<void> {
  const rows = await tx
    .delete(conceptSources)
    .where(eq(conceptSources.conceptId, from))
    .returning();
  for (const row of rows) {
    await tx
      .insert(conceptSources)
      .values({ conceptId: into, episodeId: row.episodeId })
      .onConflictDoNothing();
  }
}

async function moveEvidence({ tx }: WriteContext, from: number, into: number): Promise<void> {
  const rows = await tx.delete(evidence).where(eq(evidence.conceptId, from)).returning();
  for (const row of rows) {
    await tx
      .insert(evidence)
      .values({ ...row, conceptId: into })
      .onConflictDoNothing();
  }
}

async function moveLabels({ tx }: WriteContext, from: number, into: number): Promise<void> {
  const rows = await tx.delete(conceptLabels).where(eq(conceptLabels.conceptId, from)).returning();
  for (const row of rows) {
    await tx
      .insert(conceptLabels)
      .values({ ...row, conceptId: into })
      .onConflictDoNothing();
  }
}

async function moveRelations({ tx }: WriteContext, from: number, into: number): Promise<void> {
  const between = or(
    and(eq(relations.sourceId, from), eq(relations.targetId, into)),
    and(eq(relations.sourceId, into), eq(relations.targetId, from)),
  );
  await tx.delete(relations).where(between);
  const rows = await tx
    .delete(relations)
    .where(or(eq(relations.sourceId, from), eq(relations.targetId, from)))
    .returning();
  for (const row of rows) {
    await tx
      .insert(relations)
      .values({
        ...row,
        sourceId: row.sourceId === from ? into : row.sourceId,
        targetId: row.targetId === from ? into : row.targetId,
      })
      .onConflictDoNothing();
  }
}
