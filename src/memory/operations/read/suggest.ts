import { z } from "zod";
import { createPredicates, filterFields } from "../../filters/filter-condition.ts";
import { nameListField } from "../../input/fields.ts";
import { INPUT_LIMITS } from "../../input/limits.ts";
import { SUGGESTIONS, suggest } from "../../listing/suggest.ts";
import { defineOperation } from "../define-operation.ts";

export const suggestOperation = defineOperation({
  name: "suggest",
  summary: "Complete a prefix: ids, entities, labels, topics, authors",
  description:
    "For completion in shells, editors and forms. Takes the filters of `items` and returns " +
    "ids of matching items and values that they have.",
  kind: "read",
  input: z.strictObject({
    prefix: z.string().max(INPUT_LIMITS.nameChars).default(""),
    kinds: nameListField(SUGGESTIONS)
      .optional()
      .describe(`${SUGGESTIONS.join(", ")}; default: all.`),
    limit: z.number().int().min(1).max(200).default(20),
    ...filterFields,
  }),
  output: z.object({
    suggestions: z.array(
      z.object({
        value: z.string(),
        kind: z.enum(SUGGESTIONS),
        detail: z.string(),
      }),
    ),
  }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/suggest" },
  cli: { command: false, example: "cairn show tool:po" },
  async run(context, { prefix, kinds = [], limit, ...filters }) {
    const requested = kinds.length === 0 ? SUGGESTIONS : kinds;
    const passing = await createPredicates(context, filters);
    return {
      suggestions: await suggest(context.tx, {
        prefix,
        kinds: requested,
        limit,
        condition: passing,
      }),
    };
  },
});
