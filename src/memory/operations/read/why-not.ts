import { prepareRecall, whyNot } from "../../recall/index.ts";
import { whyNotInput, whyNotOutput } from "../../recall/why-not.schema.ts";
import { defineOperation } from "../define-operation.ts";

export const whyNotOperation = defineOperation({
  name: "why_not",
  summary: "Why recall does or does not return an item: words, similarity, rank, what is needed",
  description: "Takes what `recall` takes, and the id of the item that was expected.",
  kind: "read",
  input: whyNotInput,
  output: whyNotOutput,
  mcp: { interfaces: false },
  rest: { method: "POST", path: "/query/why" },
  cli: { positionals: ["id", "query"], example: 'cairn why-not ep:3 "when do we deploy?"' },
  present: ({ id, reasons }) => ({
    text: `${id}: ${reasons.join(" ")}`,
    summary: reasons[0] ?? "",
  }),
  prepare: (context, input) => prepareRecall(context, input),
  run: (context, input) => whyNot(context, input, context.prepared),
});
