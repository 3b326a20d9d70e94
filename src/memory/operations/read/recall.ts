import { prepareRecall, recall } from "../../recall/index.ts";
import { recallInput, recallOutput } from "../../recall/recall.schema.ts";
import { defineOperation } from "../define-operation.ts";

export const recallOperation = defineOperation({
  name: "recall",
  summary: "Find what memory holds about a question, ranked by activation",
  description:
    "Text, vectors and entities that match seed an activation that spreads over sessions, evidence " +
    "and relations. Give `query`, `entity` or both. Where the answer shows OPEN CONFLICTS, settle " +
    "them with `resolve_conflict` or `dismiss_conflict`.",
  kind: "read",
  input: recallInput,
  output: recallOutput,
  mcp: { core: true, fieldsOfB: ["topic"] },
  rest: { method: "POST", path: "/query" },
  cli: {
    group: "Memory",
    shelf: "start",
    aliases: ["search"],
    short: { k: "n", entity: "e" },
    positionals: ["query"],
    example: 'cairn recall "when do we deploy?" --k 5',
  },
  agentTool: "recall",
  present: ({ formatted, concepts, episodes }) => ({
    text: formatted,
    summary: `${concepts.length} concepts, ${episodes.length} episodes`,
  }),
  prepare: (context, input) => prepareRecall(context, input),
  run: (context, input) => recall(context, input, context.prepared),
});
