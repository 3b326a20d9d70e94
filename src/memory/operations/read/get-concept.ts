import { z } from "zod";
import { requireConcept } from "../../concepts/concept.queries.ts";
import { conceptDetail } from "../../concepts/concept.schema.ts";
import { loadConceptDetail } from "../../concepts/load-concept-detail.ts";
import { idOf } from "../../input/fields.ts";
import { defineRecord } from "../define-record.ts";

export const getConcept = defineRecord({
  name: "get_concept",
  summary: "Show a concept with its episodes, evidence, lineage and facts",
  target: "concept_id",
  input: z.strictObject({ concept_id: idOf("concept") }),
  output: conceptDetail,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/concepts/{concept_id}" },
  cli: { command: false, example: "cairn show CONCEPT" },
  of: "concept_id",
  find: requireConcept,
  show: loadConceptDetail,
});
