import { z } from "zod";
import {
  type ConceptFilter,
  countConcepts,
  listConceptPositions,
  loadConcepts,
  requireConcept,
} from "../../concepts/concept.queries.ts";
import { conceptDetail, conceptRecord } from "../../concepts/concept.schema.ts";
import { loadConceptDetail } from "../../concepts/load-concept-detail.ts";
import {
  createPredicate,
  NOT_OF_DELETED,
  removeText,
  selectFilterFields,
} from "../../filters/filter-condition.ts";
import { idOf } from "../../input/fields.ts";
import { createRecordList, defineList, listByNumber } from "../define-list.ts";
import { defineRecord } from "../define-record.ts";
import type { OperationContext } from "../operation-context.ts";
import { type PageOfInput, pagedInput, placedOutput, wholeListInput } from "../paging.ts";

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

const output = z.object({ concepts: z.array(conceptRecord), ...placedOutput });

export const listConcepts = defineList({
  name: "list_concepts",
  summary: "List concepts, newest first",
  input: z.strictObject({ ...pagedInput, ...selectFilterFields("concept") }),
  output,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/concepts" },
  cli: {
    command: "list concepts",
    short: { type: "t" },
    example: "cairn list concepts --limit 10",
  },
  async list(context, input) {
    return loadConceptList(
      context,
      { passes: await createPredicate("concept", context, input) },
      input,
    );
  },
  answer: (concepts, numbers) => ({ concepts, ...numbers }),
});

export const listDeletedConcepts = defineList({
  name: "list_deleted_concepts",
  summary: "List soft-deleted concepts, last deleted first",
  input: z.strictObject({ ...wholeListInput, ...removeText(selectFilterFields("concept")) }),
  output,
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/concepts/deleted" },
  cli: { command: false },
  async list(context, input) {
    const passes = await createPredicate("concept", context, input, NOT_OF_DELETED);
    return loadConceptList(context, { deleted: true, passes }, input);
  },
  answer: (concepts, numbers) => ({ concepts, ...numbers }),
});

function loadConceptList({ tx }: OperationContext, filter: ConceptFilter, page: PageOfInput) {
  return createRecordList({
    order: filter.deleted === true ? "deleted_concepts" : "concepts",
    page,
    positions: (part) => listConceptPositions(tx, filter, part),
    count: () => countConcepts(tx, filter),
    load: listByNumber(loadConcepts),
  });
}
