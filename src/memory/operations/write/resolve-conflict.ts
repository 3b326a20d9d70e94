import { eq } from "drizzle-orm";
import { z } from "zod";
import { invalidInput } from "../../../kernel/errors.ts";
import { loadConflicts, requireOpenConflict } from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { conflicts } from "../../conflicts/conflict.table.ts";
import { requireActiveFact } from "../../facts/fact.queries.ts";
import { facts } from "../../facts/fact.table.ts";
import { supersedeFact } from "../../facts/supersede-fact.ts";
import { idOf, nameField, noteField, untilField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { factId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";

export const resolveConflict = defineOperation({
  name: "resolve_conflict",
  summary: "Settle a conflict: one fact wins, the other becomes history",
  target: "conflict_id",
  kind: "write",
  input: z.strictObject({
    conflict_id: idOf("conflict"),
    winning_fact_id: idOf("fact").optional().describe("Required for a conflict of facts."),
    note: noteField.optional().describe("Why."),
    until: untilField,
    resolved_by: nameField.optional().describe("Who decided."),
    if_match: ifMatchField.optional(),
  }),
  output: conflictRecord,
  mcp: { fieldsOfPrograms: ["until"] },
  rest: { method: "POST", path: "/conflicts/{conflict_id}/resolve" },
  confirm: ({ conflict_id: id, winning_fact_id: winner }) =>
    winner === undefined
      ? `Resolved ${id}.`
      : `Resolved ${id}: ${winner} holds, the other fact is history.`,
  cli: {
    command: "resolve",
    shelf: "everyday",
    positionals: ["conflict_id", "winning_fact_id"],
    example: 'cairn resolve conflict:1 fact:2 --note "Checked with the team"',
  },
  changeset: {
    op: "resolve",
    text: "note",
    nameless: true,
    aliases: { id: "conflict_id", winner: "winning_fact_id", reason: "note", by: "resolved_by" },
  },
  async run(context, input) {
    const { tx, now } = context;
    const conflict = await requireOpenConflict(tx, input.conflict_id, "conflict_id");
    const pair = `${factId(conflict.factA)} or ${factId(conflict.factB)}`;
    if (input.winning_fact_id === undefined) {
      throw invalidInput(`winning_fact_id: is required for a conflict of facts; name ${pair}`);
    }
    const winner = await requireActiveFact(tx, input.winning_fact_id, "winning_fact_id");
    if (winner.id !== conflict.factA && winner.id !== conflict.factB) {
      throw invalidInput(
        `winning_fact_id: ${input.winning_fact_id} is not part of ${input.conflict_id}; name ${pair}`,
      );
    }
    const loserNumber = winner.id === conflict.factA ? conflict.factB : conflict.factA;
    const [loser] = await tx.select().from(facts).where(eq(facts.id, loserNumber));
    const note = input.note ?? null;
    if (loser?.status === "active")
      await supersedeFact(context, { old: loser, winner, note, until: input.until });
    await tx
      .update(conflicts)
      .set({
        status: "resolved",
        winner: winner.id,
        note,
        resolvedBy: input.resolved_by ?? null,
        resolvedAt: now,
      })
      .where(eq(conflicts.id, conflict.id));
    await context.emit({
      kind: "conflict_resolved",
      subjectType: "conflict",
      subjectId: input.conflict_id,
      payload: { winner: factId(winner.id), loser: factId(loserNumber), note },
      author: input.resolved_by,
    });
    const [record] = await loadConflicts(tx, [conflict.id]);
    if (record === undefined) throw new Error("The conflict is gone.");
    return record;
  },
});
