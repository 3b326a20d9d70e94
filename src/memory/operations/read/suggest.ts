import { z } from "zod";
import { LIMITS } from "../../input/limits.ts";
import { namesOf } from "../../input/names-of.ts";
import { SUGGESTIONS, suggest } from "../../listing/suggest.ts";
import { defineOperation } from "../define-operation.ts";

export const suggestOperation = defineOperation({
  name: "suggest",
  summary: "Known values that begin with a prefix: ids, entities, labels, topics, authors",
  description: "For completion in shells, editors and forms.",
  kind: "read",
  input: z.strictObject({
    prefix: z.string().max(LIMITS.nameChars).default(""),
    kinds: namesOf(SUGGESTIONS)
      .optional()
      .describe(`${SUGGESTIONS.join(", ")}; default all of them.`),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.object({
    suggestions: z.array(
      z.object({
        /** What to write. */
        value: z.string(),
        kind: z.enum(SUGGESTIONS),
        /** What it is, or how often it is used, on one line. */
        detail: z.string(),
      }),
    ),
  }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/suggest" },
  cli: { positionals: ["prefix"], example: "cairn suggest tool:po" },
  async run({ tx }, { prefix, kinds = [], limit }) {
    const wanted = kinds.length === 0 ? SUGGESTIONS : kinds;
    return { suggestions: await suggest(tx, { prefix, kinds: wanted, limit }) };
  },
});
