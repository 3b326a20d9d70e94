import { shortenLine } from "../../../shared/text.ts";
import { quoteNameForModel } from "../../presentation/quote-for-model.ts";
import {
  itemOfWords,
  mayBeWords,
  prepareRecall,
  requestOfWords,
  whyNot,
} from "../../recall/index.ts";
import { whyNotInput, whyNotOutput } from "../../recall/why-not.schema.ts";
import { defineOperation } from "../define-operation.ts";

export const whyNotOperation = defineOperation({
  name: "why_not",
  summary: "Explain why recall returns an item or not: words, similarity, rank, required score",
  description: "Same parameters as `recall`, plus the id of the expected item.",
  kind: "read",
  input: whyNotInput,
  output: whyNotOutput,
  mcp: { interfaces: false },
  rest: { method: "POST", path: "/query/why" },
  cli: {
    positionals: ["id", "query"],
    example:
      'cairn why-not ep:3 "when do we deploy?"\ncairn why-not "the deploy decision" "when do we deploy?"',
  },
  present: ({ id, reasons, meant }) => ({
    text: [
      ...(meant === undefined ? [] : [`${id}  ${quoteNameForModel(shortenLine(meant.text, 120))}`]),
      `${id}: ${reasons.join(" ")}`,
      ...(meant === undefined || meant.others.length === 0
        ? []
        : [`Or did you mean ${meant.others.map((other) => other.id).join(", ")}?`]),
    ].join("\n"),
    summary: reasons[0] ?? "",
  }),
  async prepare(context, input) {
    const preparedRequest = await prepareRecall(context, input);
    if (!mayBeWords(input.id)) return { asked: preparedRequest };
    return {
      asked: preparedRequest,
      words: await prepareRecall(context, requestOfWords(input.id)),
    };
  },
  async run(context, input) {
    const { asked, words } = context.prepared;
    const found = words === undefined ? undefined : await itemOfWords(context, input.id, words);
    const { id = input.id, meant } = found ?? {};
    const answer = await whyNot(context, { ...input, id }, asked);
    return meant === undefined ? answer : { ...answer, meant };
  },
});
