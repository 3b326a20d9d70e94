import type { ExecuteOptions } from "../../context/execute-options.ts";
import { formatBriefly, SEPARATOR } from "../../recall/fit-result.ts";
import { formatWarnings } from "../../recall/format-warnings.ts";
import { prepareRecall, recall } from "../../recall/index.ts";
import { type RecallOutput, recallInput, recallOutput } from "../../recall/recall.schema.ts";
import { defineOperation } from "../define-operation.ts";

export const recallOperation = defineOperation({
  name: "recall",
  summary: "Find memories that answer a question, ranked by activation",
  description:
    "Give `query`, `entity` or both. Items under OPEN CONFLICTS are disputed: say so, or close " +
    "them with `resolve` or `dismiss` in `apply`.",
  kind: "read",
  input: recallInput,
  output: recallOutput,
  mcp: {
    core: true,
    alwaysLoad: true,
    purpose:
      "Search long-term memory. Call it at the start of a task and before you decide or ask what may " +
      "be settled.",
    searchHint: "recall search memory past decisions preferences history facts",
    fieldsOfB: ["topic"],
    fieldsOfPrograms: [
      ...["explain", "passage_k", "type", "not_labels", "session", "pending", "has", "known_at"],
    ],
    plainFields: ["since", "until", "by"],
    textDefaults: { max_chars: 6_000, passage_k: 4 },
    links: (output) =>
      (output as RecallOutput).concepts
        .filter(({ id }) => !id.includes("/"))
        .map(({ id, title }) => ({ uri: `memory://concept/${id}`, title })),
  },
  rest: { method: "POST", path: "/query" },
  cli: {
    group: "Memory",
    shelf: "start",
    aliases: ["search"],
    short: { k: "n", entity: "e" },
    positionals: ["query"],
    defaults: { passage_k: 4 },
    omit: ["formatted"],
    example: 'cairn recall "when do we deploy?" --k 5',
  },
  agentTool: "recall",
  present: (found, { query }) => ({
    text: [
      formatBriefly(found, typeof query === "string" ? query : ""),
      ...(found.warnings === undefined ? [] : [formatWarnings(found.warnings)]),
    ]
      .filter((part) => part !== "")
      .join(SEPARATOR),
    summary: [
      `${found.concepts.length} concepts`,
      `${found.episodes.length} episodes`,
      ...(found.passages === undefined ? [] : [`${found.passages.length} passages`]),
    ].join(", "),
  }),
  prepare: (context, input) => prepareRecall(context, input),
  run: (context, input) => {
    const { onLeftOut } = context.options;
    const presentation = { isModel: isForModel(context.options), ...(onLeftOut && { onLeftOut }) };
    return recall({ ...context, ...presentation }, input, context.prepared);
  },
});

export const isForModel = ({ surface }: ExecuteOptions): boolean =>
  surface === "mcp" || surface === "agent";
