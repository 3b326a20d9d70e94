import { eq } from "drizzle-orm";
import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import {
  type ConflictRow,
  loadConflicts,
  requireOpenConflict,
} from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { conflicts, SEVERITIES } from "../../conflicts/conflict.table.ts";
import { openConflictBetween } from "../../conflicts/open-conflict.ts";
import type { WriteContext } from "../../context/write-context.ts";
import { findNamedPair } from "../../facts/claim-episode.ts";
import { requireActiveFact } from "../../facts/fact.queries.ts";
import { facts } from "../../facts/fact.table.ts";
import { supersedeFact } from "../../facts/supersede-fact.ts";
import { idOf, nameField, noteField, untilField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { factId } from "../../input/item-ids.ts";
import { createFormFunctions } from "../define-form.ts";
import { defineOperation } from "../define-operation.ts";

export const openConflict = defineOperation({
  name: "open_conflict",
  summary: "Mark two active facts, decisions or preferences as conflicting",
  kind: "write",
  input: z.strictObject({
    fact_a: idOf("claim").describe("A fact, decision or preference."),
    fact_b: idOf("claim"),
    severity: z.enum(SEVERITIES).default("medium"),
    description: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: conflictRecord,
  mcp: { interfaces: false },
  rest: false,
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
    const [factA, factB] = await findNamedPair(context, [
      { id: input.fact_a, field: "fact_a" },
      { id: input.fact_b, field: "fact_b" },
    ]);
    return openConflictBetween(context, {
      ...{ factA, factB, severity: input.severity },
      description: input.description ?? null,
    });
  },
});

interface ConflictResolution {
  readonly id: string;
  readonly note: string | undefined;
  readonly by: string | undefined;
  /** `dismissed`: the facts do not conflict and both remain active. */
  readonly as: "resolved" | "dismissed";
  readonly winner?: string | undefined;
  readonly until?: z.output<typeof untilField>;
}

const settling = createFormFunctions<ConflictResolution, z.output<typeof conflictRecord>>({
  name: "resolve_conflict",
  kind: "write",
  async run(context, settlement) {
    const { id, by, as: status } = settlement;
    const { tx, now } = context;
    const conflict = await requireOpenConflict(tx, id, "conflict_id");
    const note = settlement.note ?? null;
    const decided = { status, note, resolvedBy: by ?? null, resolvedAt: now };
    const ended = { subjectType: "conflict", subjectId: id, author: by } as const;
    const where = eq(conflicts.id, conflict.id);
    if (status === "dismissed") {
      await tx.update(conflicts).set(decided).where(where);
      const pair = { fact_a: factId(conflict.factA), fact_b: factId(conflict.factB) };
      await context.emit({ ...ended, kind: "conflict_dismissed", payload: { ...pair, note } });
    } else {
      const { winner, loser } = await supersedeLoser(context, conflict, { ...settlement, note });
      await tx
        .update(conflicts)
        .set({ ...decided, winner })
        .where(where);
      const pair = { winner: factId(winner), loser: factId(loser) };
      await context.emit({ ...ended, kind: "conflict_resolved", payload: { ...pair, note } });
    }
    const [record] = await loadConflicts(tx, [conflict.id]);
    if (record === undefined) throw new Error("The conflict no longer exists.");
    return record;
  },
});

async function supersedeLoser(
  context: WriteContext,
  conflict: ConflictRow,
  settlement: Omit<ConflictResolution, "note"> & { readonly note: string | null },
): Promise<{ winner: number; loser: number }> {
  const { tx } = context;
  const { winner: named, note, until } = settlement;
  const pair = `${factId(conflict.factA)} or ${factId(conflict.factB)}`;
  if (named === undefined) {
    throw invalidInput(`winning_fact_id: is required for a conflict of facts; name ${pair}`);
  }
  const winner = await requireActiveFact(tx, named, "winning_fact_id");
  if (winner.id !== conflict.factA && winner.id !== conflict.factB) {
    throw invalidInput(`winning_fact_id: ${named} is not part of ${settlement.id}; name ${pair}`);
  }
  const number = winner.id === conflict.factA ? conflict.factB : conflict.factA;
  const [loser] = await tx.select().from(facts).where(eq(facts.id, number));
  if (loser?.status === "active") await supersedeFact(context, { old: loser, winner, note, until });
  return { winner: winner.id, loser: number };
}

export const resolveConflict = settling({
  name: "resolve_conflict",
  summary: "Resolve a conflict: one fact wins, the other becomes history",
  target: "conflict_id",
  input: z.strictObject({
    conflict_id: idOf("conflict"),
    winning_fact_id: idOf("fact").optional().describe("Required for a conflict of facts."),
    note: noteField.optional().describe("Why."),
    until: untilField,
    resolved_by: nameField.optional().describe("Who decided."),
    if_match: ifMatchField.optional(),
  }),
  output: conflictRecord,
  mcp: { core: true, fieldsOfPrograms: ["until"] },
  rest: { method: "POST", path: "/conflicts/{conflict_id}/resolve" },
  confirm: ({ conflict_id: id, winning_fact_id: winner }) =>
    winner === undefined
      ? `Resolved ${id}.`
      : `Resolved ${id}: ${winner} is active, the other fact is history.`,
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
  bind: ({ conflict_id: id, winning_fact_id: winner, note, until, resolved_by: by }) => ({
    id,
    note,
    by,
    as: "resolved",
    winner,
    until,
  }),
});

export const dismissConflict = settling({
  name: "dismiss_conflict",
  summary: "Dismiss a conflict: both facts stay active",
  target: "conflict_id",
  input: z.strictObject({
    conflict_id: idOf("conflict"),
    note: noteField.optional().describe("Why."),
    resolved_by: nameField.optional().describe("Who decided."),
    if_match: ifMatchField.optional(),
  }),
  output: conflictRecord,
  mcp: { core: true },
  rest: { method: "POST", path: "/conflicts/{conflict_id}/dismiss" },
  confirm: ({ conflict_id: id }) => `Dismissed ${id}: both facts stay.`,
  cli: {
    command: "dismiss",
    positionals: ["conflict_id"],
    example: 'cairn dismiss conflict:1 --note "Different environments"',
  },
  changeset: {
    op: "dismiss",
    text: "note",
    nameless: true,
    aliases: { id: "conflict_id", reason: "note", by: "resolved_by" },
  },
  bind: ({ conflict_id: id, note, resolved_by: by }) => ({ id, note, by, as: "dismissed" }),
});
