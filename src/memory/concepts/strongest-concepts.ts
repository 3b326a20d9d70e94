import { and, asc, desc, eq, isNull, type SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadConcepts } from "./concept.queries.ts";
import type { ConceptRecord } from "./concept.schema.ts";
import { concepts } from "./concept.table.ts";

/**
 * The top actionable concepts by confidence, then instance count, then age, oldest first; `passes` is a
 * condition on their rows, of the filters that were given.
 */
export async function strongestConcepts(
  tx: Tx,
  count: number,
  passes?: SQL,
): Promise<ConceptRecord[]> {
  const strongest: ConceptRecord[] = [];
  const batch = Math.max(50, count);
  for (let offset = 0; strongest.length < count; offset += batch) {
    const rows = await tx
      .select({ id: concepts.id })
      .from(concepts)
      .where(and(isNull(concepts.deletedAt), passes))
      .orderBy(desc(concepts.confidence), desc(concepts.instanceCount), asc(concepts.id))
      .limit(batch)
      .offset(offset);
    if (rows.length === 0) break;
    const records = await loadConcepts(
      tx,
      rows.map((row) => row.id),
    );
    strongest.push(...records.filter((record) => record.actionable));
  }
  return strongest.slice(0, count);
}

/** The top concepts of a topic by confidence, then instance count, then age, newest first. */
export async function strongestOfTopic(
  tx: Tx,
  topicId: string,
  count: number,
): Promise<ConceptRecord[]> {
  const { id, confidence, instanceCount, createdAt, deletedAt } = concepts;
  const rows = await tx
    .select({ id })
    .from(concepts)
    .where(and(eq(concepts.topicId, topicId), isNull(deletedAt)))
    .orderBy(desc(confidence), desc(instanceCount), desc(createdAt), desc(id))
    .limit(count);
  return loadConcepts(
    tx,
    rows.map((row) => row.id),
  );
}
