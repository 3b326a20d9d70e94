import { eq } from "drizzle-orm";
import { z } from "zod";
import { loadConflicts, requireOpenConflict } from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { conflicts } from "../../conflicts/conflict.table.ts";
import { idOf, nameField, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { factId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";

export const dismissConflict = defineOperation({
  name: "dismiss_conflict",
  summary: "Close a conflict that is none: both facts stay active",
  target: "conflict_id",
  kind: "write",
  input: z.strictObject({
    conflict_id: idOf("conflict"),
    note: noteField.optional().describe("Why."),
    resolved_by: nameField.optional().describe("Who decided."),
    if_match: ifMatchField.optional(),
  }),
  output: conflictRecord,
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
  async run(context, input) {
    const { tx, now } = context;
    const conflict = await requireOpenConflict(tx, input.conflict_id, "conflict_id");
    const note = input.note ?? null;
    await tx
      .update(conflicts)
      .set({ status: "dismissed", note, resolvedBy: input.resolved_by ?? null, resolvedAt: now })
      .where(eq(conflicts.id, conflict.id));
    await context.emit({
      kind: "conflict_dismissed",
      subjectType: "conflict",
      subjectId: input.conflict_id,
      payload: { fact_a: factId(conflict.factA), fact_b: factId(conflict.factB), note },
      author: input.resolved_by,
    });
    const [record] = await loadConflicts(tx, [conflict.id]);
    if (record === undefined) throw new Error("The conflict is gone.");
    return record;
  },
});
