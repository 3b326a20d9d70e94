import { eq } from "drizzle-orm";
import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { loadConcept, requireConcept } from "../../concepts/concept.queries.ts";
import { conceptRecord, FACT_CLUSTER } from "../../concepts/concept.schema.ts";
import { concepts } from "../../concepts/concept.table.ts";
import { idOf, nameField, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { defineOperation } from "../define-operation.ts";
import { checkConceptType } from "./create-concept.ts";

export const reshape = defineOperation({
  name: "reshape",
  summary: "Change the type of a concept",
  target: "id",
  kind: "write",
  input: z.strictObject({
    id: idOf("concept"),
    type: nameField.describe("pattern, hypothesis, or any other."),
    reason: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: conceptRecord,
  mcp: { interfaces: false, idempotent: true },
  rest: { method: "POST", path: "/concepts/{id}/reshape" },
  confirm: ({ id, type }) => `${id} is of type ${type} now.`,
  cli: {
    command: "concept reshape",
    positionals: ["id", "type"],
    example: "cairn concept reshape CONCEPT pattern",
  },
  changeset: { op: "reshape", text: "reason", nameless: true, aliases: { note: "reason" } },
  async run(context, input) {
    const { tx, now } = context;
    checkConceptType(input.type);
    const row = await requireConcept(tx, input.id, "id");
    if (row.type === FACT_CLUSTER) {
      throw invalidInput(`id: ${input.id} is a fact cluster, whose type cannot change`);
    }
    await tx
      .update(concepts)
      .set({ type: input.type, updatedAt: now })
      .where(eq(concepts.id, row.id));
    await context.emit({
      kind: "updated",
      subjectType: "concept",
      subjectId: row.publicId,
      payload: { op: "reshape", from: row.type, to: input.type, reason: input.reason ?? null },
    });
    return loadConcept(tx, row.id);
  },
});
