import { z } from "zod";
import { contentField, idOf, referenceField } from "../../input/fields.ts";
import { parseNumberedId } from "../../input/item-ids.ts";
import { loadMistakes } from "../../mistakes/load-mistakes.ts";
import { mistakeRecord } from "../../mistakes/mistake.schema.ts";
import { repeatsMistake } from "../../mistakes/repeats-mistake.ts";
import { defineOperation } from "../define-operation.ts";

export const mistakes = defineOperation({
  name: "mistakes",
  summary: "List mistakes, what was wanted instead, and how often they were avoided since",
  description:
    "With a command, or a file and what is about to be written to it: those that this would make " +
    "again. The newest comes first.",
  kind: "read",
  input: z.strictObject({
    id: idOf("episode").optional().describe("Id of one mistake."),
    command: contentField.optional().describe("Command line about to run."),
    file: referenceField.optional().describe("Project path of the file about to be written."),
    text: contentField.optional().describe("Text about to be written."),
    limit: z.number().int().min(1).max(500).default(50),
  }),
  output: z.object({ mistakes: z.array(mistakeRecord), total: z.number().int() }),
  mcp: { interfaces: false },
  rest: false,
  cli: { command: "list mistakes", group: "Inspection", example: "cairn list mistakes" },
  async run({ tx }, { id, command, file, text, limit }) {
    const only = id === undefined ? undefined : parseNumberedId(id, "episode", "id");
    const isRequested = command !== undefined || file !== undefined || text !== undefined;
    const act = { command, file, text };
    return loadMistakes(tx, {
      only,
      matches: isRequested ? (pair) => repeatsMistake(act, pair) : undefined,
      limit,
    });
  },
});
