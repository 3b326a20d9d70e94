import { z } from "zod";
import { requireConcept } from "../../concepts/concept.queries.ts";
import { relationRecord } from "../../concepts/concept.schema.ts";
import { putRelation } from "../../concepts/relations.ts";
import { idOf, nameField, strengthField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { defineOperation } from "../define-operation.ts";

export const link = defineOperation({
  name: "link",
  summary: "Relate one concept to another",
  target: "from",
  kind: "write",
  input: z.strictObject({
    from: idOf("concept"),
    to: idOf("concept"),
    type: nameField.describe("implies, supersedes, or any other."),
    strength: strengthField.default(1),
    if_match: ifMatchField.optional(),
  }),
  output: z.object({ id: z.string(), relation: relationRecord }),
  mcp: { interfaces: false, idempotent: true },
  rest: false,
  confirm: ({ from, to, type }) => `Linked ${from} → ${to} (${type}).`,
  cli: {
    command: "concept link",
    positionals: ["from", "to", "type"],
    example: "cairn concept link CONCEPT OTHER implies",
  },
  changeset: { op: "link", nameless: true, aliases: { source: "from", target: "to" } },
  async run(context, input) {
    const source = await requireConcept(context.tx, input.from, "from");
    const target = await requireConcept(context.tx, input.to, "to");
    const relation = { type: input.type, strength: input.strength };
    await putRelation(context, source, { target, ...relation });
    await context.emit({
      kind: "updated",
      subjectType: "concept",
      subjectId: source.publicId,
      payload: { op: "link", from: source.publicId, to: target.publicId, ...relation },
    });
    return { id: source.publicId, relation: { ...relation, target_id: target.publicId } };
  },
});
