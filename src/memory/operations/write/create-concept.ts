import { eq } from "drizzle-orm";
import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { loadConcept, requireConcept } from "../../concepts/concept.queries.ts";
import { conceptRecord, FACT_CLUSTER } from "../../concepts/concept.schema.ts";
import { concepts } from "../../concepts/concept.table.ts";
import { insertConcept } from "../../concepts/insert-concept.ts";
import { addRelations } from "../../concepts/relations.ts";
import { relationsField } from "../../concepts/relations-field.ts";
import { requireEpisodes } from "../../episodes/episode.queries.ts";
import {
  getIds,
  idOf,
  labelsField,
  listField,
  nameField,
  noteField,
  strengthField,
  summaryField,
  topicField,
} from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { requireTopic } from "../../topics/topic.queries.ts";
import { defineOperation } from "../define-operation.ts";

export const createConcept = defineOperation({
  name: "create_concept",
  summary: "Generalize episodes into a concept",
  kind: "write",
  input: z.strictObject({
    title: nameField,
    from: getIds("episode").describe("Ids of the source episodes."),
    summary: summaryField.default(""),
    type: nameField.default("pattern").describe("pattern, hypothesis, or any other."),
    relations: relationsField.optional().describe("Array of {type, target_id, strength}."),
    confidence: strengthField.optional().describe("0.0 to 1.0, default 0.5."),
    tags: listField.optional(),
    labels: labelsField.optional(),
    topic: topicField.optional().describe("Id or name of a topic."),
  }),
  output: conceptRecord,
  mcp: { interfaces: false },
  rest: { method: "POST", path: "/concepts" },
  confirm: ({ title }, { id }) => `Created concept ${id}: ${title}.`,
  cli: {
    command: "concept create",
    positionals: ["title"],
    example: 'cairn concept create "Deploys need a green build" --from ep:1,ep:2 --type pattern',
  },
  changeset: { op: "concept", text: "summary" },
  async run(context, input) {
    const { tx } = context;
    checkConceptType(input.type);
    const sources = await requireEpisodes(tx, input.from, "from");
    const topic =
      input.topic === undefined ? undefined : await requireTopic(tx, input.topic, "topic");
    const row = await insertConcept(context, {
      ...input,
      sources: sources.map((source) => source.id),
      topicId: topic?.id ?? null,
    });
    await addRelations(context, row, input.relations ?? []);
    await context.emit({
      kind: "concept_created",
      subjectType: "concept",
      subjectId: row.publicId,
      payload: { title: row.title, type: row.type, from: input.from },
    });
    return loadConcept(tx, row.id);
  },
});

export function checkConceptType(type: string): void {
  if (type !== FACT_CLUSTER) return;
  throw invalidInput(
    `type: "${FACT_CLUSTER}" is reserved for clusters, which \`remember\` creates for facts`,
  );
}

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
  rest: false,
  confirm: ({ id, type }) => `${id} now has type ${type}.`,
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
