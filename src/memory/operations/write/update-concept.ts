import { z } from "zod";
import { loadConcept } from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { updateConceptFields } from "../../concepts/relations.ts";
import { relationsField } from "../../concepts/relations-field.ts";
import {
  idOf,
  labelsField,
  listField,
  nameField,
  strengthField,
  summaryField,
} from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { defineUpdate } from "../define-update.ts";

export const updateConcept = defineUpdate({
  name: "update_concept",
  summary: "Change fields of a concept; only those given",
  description: "`relations` and `labels` replace all that the concept has.",
  target: "concept_id",
  input: z.strictObject({
    concept_id: idOf("concept"),
    title: nameField.optional(),
    summary: summaryField.optional().describe("A new summary is embedded at the next recall."),
    confidence: strengthField.optional().describe("0.0 to 1.0."),
    tags: listField.optional().describe("Comma-separated; replaces all tags."),
    relations: relationsField.optional().describe("JSON array of {type, target_id, strength}."),
    labels: labelsField.optional().describe("Comma-separated key=value; replaces all labels."),
    if_match: ifMatchField.optional(),
  }),
  output: conceptRecord,
  mcp: { idempotent: true, plainFields: ["relations", "confidence", "summary", "labels"] },
  rest: { method: "PATCH", path: "/concepts/{concept_id}" },
  confirm: ({ concept_id: id }) => `Updated ${id}. Revert with \`cairn undo\`.`,
  cli: {
    command: "concept update",
    positionals: ["concept_id"],
    example: "cairn concept update CONCEPT --confidence 0.9",
  },
  change: updateConceptFields,
  load: loadConcept,
});
