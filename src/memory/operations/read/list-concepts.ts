import { z } from "zod";
import {
  type ConceptFilter,
  listConceptPlaces,
  loadConcepts,
} from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import { countConcepts } from "../../concepts/count-concepts.ts";
import { wholeList } from "../../context/whole-list.ts";
import { passing } from "../../filters/filter-condition.ts";
import { filterFieldsFor, withoutText } from "../../filters/filter-fields.ts";
import { defineOperation } from "../define-operation.ts";
import type { OperationContext } from "../operation-context.ts";
import {
  listNumbers,
  type PageOfInput,
  pagedInput,
  placedOutput,
  placesOf,
  wholeInput,
} from "../paging.ts";

export const listConcepts = defineOperation({
  name: "list_concepts",
  summary: "List concepts, newest first",
  kind: "read",
  input: z.strictObject({ ...pagedInput, ...filterFieldsFor("concept") }),
  output: z.object({ concepts: z.array(conceptRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/concepts" },
  cli: {
    command: "concepts",
    hidden: true,
    noun: "concepts",
    short: { type: "t" },
    example: "cairn concepts --limit 10",
  },
  async run(context, input) {
    return page(context, { passes: await passing("concept", context, input) }, input);
  },
});

export const listDeletedConcepts = defineOperation({
  name: "list_deleted_concepts",
  summary: "List soft-deleted concepts, last deleted first",
  kind: "read",
  input: z.strictObject({ ...wholeInput, ...withoutText(filterFieldsFor("concept")) }),
  output: z.object({ concepts: z.array(conceptRecord), ...placedOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/concepts/deleted" },
  cli: { command: false },
  async run(context, input) {
    const passes = await passing("concept", context, input);
    return page(context, { deleted: true, passes }, input);
  },
});

async function page(context: OperationContext, filter: ConceptFilter, input: PageOfInput) {
  const { tx, options } = context;
  const { places, next } = await placesOf(input, options, {
    order: filter.deleted === true ? "deleted_concepts" : "concepts",
    load: (part) => listConceptPlaces(tx, filter, part),
  });
  const numbers = places.map(([, number]) => number);
  const total = await countConcepts(tx, filter);
  return {
    concepts: await wholeList(context, numbers, loadConcepts),
    ...listNumbers(input, total, options),
    ...next,
  };
}
