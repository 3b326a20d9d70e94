import { z } from "zod";
import { countLabels } from "../../labels/label.queries.ts";
import { labelCount } from "../../labels/label.schema.ts";
import { defineOperation } from "../define-operation.ts";
import { listNumbers, listOutput, toPage, wholeInput } from "../paging.ts";

export const listLabels = defineOperation({
  name: "list_labels",
  summary: "List the labels in use with counts, most used first",
  kind: "read",
  input: z.strictObject({
    subject_type: z.enum(["episode", "concept"]).optional(),
    ...wholeInput,
  }),
  output: z.object({ labels: z.array(labelCount), ...listOutput }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/labels" },
  cli: { command: "labels", hidden: true, noun: "labels", example: "cairn labels" },
  async run({ tx, options }, input) {
    const all = await countLabels(tx, input.subject_type);
    const page = toPage(input, options);
    const labels = page === undefined ? all : all.slice(page.offset, page.offset + page.limit);
    return { labels, ...listNumbers(input, all.length, options) };
  },
});
