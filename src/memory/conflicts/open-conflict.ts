import { and, eq } from "drizzle-orm";
import { invalidInput, stateConflict } from "../../shared/errors.ts";
import type { WriteContext } from "../context/write-context.ts";
import type { FactRow } from "../facts/fact.queries.ts";
import { conflictId, factId } from "../input/item-ids.ts";
import { conflictPair, loadConflicts } from "./conflict.queries.ts";
import type { ConflictRecord } from "./conflict.schema.ts";
import { conflicts, type SEVERITIES } from "./conflict.table.ts";

export interface NewConflict {
  readonly factA: FactRow;
  readonly factB: FactRow;
  readonly severity: (typeof SEVERITIES)[number];
  readonly description: string | null;
}

export async function openConflictBetween(
  context: WriteContext,
  { factA, factB, severity, description }: NewConflict,
): Promise<ConflictRecord> {
  const { tx, now } = context;
  if (factA.id === factB.id) throw invalidInput("fact_b: a fact cannot contradict itself");
  const pair = conflictPair(factA.id, factB.id);
  const [open] = await tx
    .select({ id: conflicts.id })
    .from(conflicts)
    .where(and(eq(conflicts.pair, pair), eq(conflicts.status, "open")));
  if (open !== undefined) {
    throw stateConflict(`fact_b: ${conflictId(open.id)} is already open between these two facts`);
  }
  const [row] = await tx
    .insert(conflicts)
    .values({
      kind: "fact",
      status: "open",
      severity,
      description,
      factA: factA.id,
      factB: factB.id,
      pair,
      createdAt: now,
    })
    .returning({ id: conflicts.id });
  const [record] = await loadConflicts(tx, [row?.id ?? 0]);
  if (record === undefined) throw new Error("The conflict was not stored.");
  await context.emit({
    kind: "conflict_opened",
    subjectType: "conflict",
    subjectId: record.id,
    payload: {
      fact_a: factId(factA.id),
      fact_b: factId(factB.id),
      severity,
    },
  });
  return record;
}
