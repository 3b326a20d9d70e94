import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { invalidInput, stateConflict } from "../../../kernel/errors.ts";
import { conflictPair, loadConflicts } from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { conflicts, SEVERITIES } from "../../conflicts/conflict.table.ts";
import { requireActiveFact } from "../../facts/fact.queries.ts";
import { idOf, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { conflictId, factId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";

export const openConflict = defineOperation({
  name: "open_conflict",
  summary: "Say that two active facts contradict each other",
  kind: "write",
  input: z.strictObject({
    fact_a: idOf("fact"),
    fact_b: idOf("fact"),
    severity: z.enum(SEVERITIES).default("medium"),
    description: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: conflictRecord,
  mcp: { interfaces: false },
  rest: { method: "POST", path: "/conflicts" },
  confirm: ({ fact_a: a, fact_b: b }, output) => `Opened ${output.id} between ${a} and ${b}.`,
  cli: {
    command: "conflict",
    positionals: ["fact_a", "fact_b"],
    example: 'cairn conflict fact:1 fact:2 --severity high --description "Both cannot hold"',
  },
  changeset: { op: "conflict", text: "description" },
  async writes(_tx, input) {
    return [input.fact_a, input.fact_b];
  },
  async run(context, input) {
    const { tx, now } = context;
    const factA = await requireActiveFact(tx, input.fact_a, "fact_a");
    const factB = await requireActiveFact(tx, input.fact_b, "fact_b");
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
        severity: input.severity,
        description: input.description ?? null,
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
        severity: input.severity,
      },
    });
    return record;
  },
});
