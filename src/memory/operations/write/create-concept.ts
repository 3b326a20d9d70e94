import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { loadConcept } from "../../concepts/concept.queries.ts";
import { conceptRecord, FACT_CLUSTER } from "../../concepts/concept.schema.ts";
import { insertConcept } from "../../concepts/insert-concept.ts";
import { addRelations } from "../../concepts/relations.ts";
import { relationsField } from "../../concepts/relations-field.ts";
import { requireEpisodes } from "../../episodes/episode.queries.ts";
import {
  idsOf,
  labelsField,
  listField,
  nameField,
  strengthField,
  summaryField,
  topicField,
} from "../../input/fields.ts";
import { requireTopic } from "../../topics/topic.queries.ts";
import { defineOperation } from "../define-operation.ts";

export const createConcept = defineOperation({
  name: "create_concept",
  summary: "Generalize episodes into a concept",
  kind: "write",
  input: z.strictObject({
    title: nameField,
    from: idsOf("episode").describe("Ids of the source episodes."),
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
  confirm: ({ title }, { id }) => `Made the concept ${id}: ${title}.`,
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

/** Clusters are made by remembering facts. */
export function checkConceptType(type: string): void {
  if (type !== FACT_CLUSTER) return;
  throw invalidInput(
    `type: "${FACT_CLUSTER}" is kept for clusters, which \`remember\` makes of facts`,
  );
}
