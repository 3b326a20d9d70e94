import { z } from "zod";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { SEVERITIES } from "../../conflicts/conflict.table.ts";
import { openConflictBetween } from "../../conflicts/open-conflict.ts";
import { namedPair } from "../../facts/claim-episode.ts";
import { idOf, noteField } from "../../input/fields.ts";
import { ifMatchField } from "../../input/if-match.ts";
import { defineOperation } from "../define-operation.ts";

export const openConflict = defineOperation({
  name: "open_conflict",
  summary: "Mark two active facts, decisions or preferences as conflicting",
  kind: "write",
  input: z.strictObject({
    fact_a: idOf("claim").describe("A fact, decision or preference."),
    fact_b: idOf("claim"),
    severity: z.enum(SEVERITIES).default("medium"),
    description: noteField.optional(),
    if_match: ifMatchField.optional(),
  }),
  output: conflictRecord,
  mcp: { interfaces: false },
  rest: false,
  confirm: ({ fact_a: a, fact_b: b }, output) => `Opened ${output.id} between ${a} and ${b}.`,
  cli: {
    command: "conflict",
    positionals: ["fact_a", "fact_b"],
    example: 'cairn conflict fact:1 fact:2 --severity high --description "Both cannot hold"',
  },
  changeset: { op: "conflict", text: "description" },
  async writes(_tx, input) {
    return [input.fact_a, input.fact_b];
  },
  async run(context, input) {
    const [factA, factB] = await namedPair(context, [
      { id: input.fact_a, field: "fact_a" },
      { id: input.fact_b, field: "fact_b" },
    ]);
    return openConflictBetween(context, {
      ...{ factA, factB, severity: input.severity },
      description: input.description ?? null,
    });
  },
});
