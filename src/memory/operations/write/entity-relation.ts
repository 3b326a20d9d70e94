import { z } from "zod";
import {
  ensureEntities,
  entityId,
  findEntity,
  upsertEntityRelation,
} from "../../entities/entity.queries.ts";
import { entityRelationRecord } from "../../entities/entity.schema.ts";
import { idOf, nameField, noteField, strengthField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { parseEntity } from "../../input/parse-entity.ts";
import { defineOperation } from "../define-operation.ts";

export const entityRelation = defineOperation({
  name: "entity_relation",
  summary: "Relate two entities; creates those that do not exist",
  kind: "write",
  input: z.strictObject({
    source: idOf("entity").describe("type:name"),
    target: idOf("entity").describe("type:name"),
    relation: nameField.describe("depends_on, written_by, or any other."),
    strength: strengthField.default(0.5),
    context: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: entityRelationRecord,
  mcp: { interfaces: false, idempotent: true },
  rest: false,
  confirm: ({ source, target, relation }) => `Related ${source} → ${target} (${relation}).`,
  cli: {
    command: "entity relate",
    positionals: ["source", "target", "relation"],
    example: "cairn entity relate file:src/app.ts tool:sqlite uses",
  },
  changeset: { op: "entity_relation", text: "context", nameless: true },
  async writes(tx, input) {
    const known = await findEntity(tx, parseEntity(input.source));
    return [known === undefined ? input.source : entityId(known)];
  },
  async run(context, input) {
    const { tx, now } = context;
    const names = [parseEntity(input.source), parseEntity(input.target)];
    const [source, target] = await ensureEntities(tx, names, now);
    if (source === undefined || target === undefined) throw new Error("The entities are missing.");
    const { relation, strength } = input;
    const related = { relation, strength, context: input.context ?? null };
    await upsertEntityRelation(tx, { source, target, ...related }, now);
    const record = { source: entityId(source), target: entityId(target), ...related };
    await context.emit({
      kind: "updated",
      subjectType: "entity",
      subjectId: record.source,
      payload: { op: "entity_relation", ...record },
      about: [record.target],
    });
    return record;
  },
});
