import { z } from "zod";
import { requireConcept } from "../../concepts/concept.queries.ts";
import { conceptDetail } from "../../concepts/concept.schema.ts";
import { loadConceptDetail } from "../../concepts/load-concept-detail.ts";
import { idOf } from "../../input/fields.ts";
import { defineOperation } from "../define-operation.ts";

export const getConcept = defineOperation({
  name: "get_concept",
  summary: "Show a concept with its episodes, evidence, lineage and facts",
  target: "concept_id",
  kind: "read",
  input: z.strictObject({ concept_id: idOf("concept") }),
  output: conceptDetail,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/concepts/{concept_id}" },
  cli: {
    command: "concept-show",
    hidden: true,
    positionals: ["concept_id"],
    example: "cairn concept-show CONCEPT",
  },
  async run({ tx }, input) {
    return loadConceptDetail(tx, await requireConcept(tx, input.concept_id, "concept_id"));
  },
});
