import { z } from "zod";
import {
  countConflicts,
  listConflicts as loadConflicts,
} from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { CONFLICT_KINDS, CONFLICT_STATUSES } from "../../conflicts/conflict.table.ts";
import { defineOperation } from "../define-operation.ts";
import { listNumbers, listOutput, toPage, wholeInput } from "../paging.ts";

export const listConflicts = defineOperation({
  name: "list_conflicts",
  summary: "List conflicts with both facts, newest first",
  kind: "read",
  input: z.strictObject({
    status: z.enum([...CONFLICT_STATUSES, "all"]).default("open"),
    kind: z.enum(CONFLICT_KINDS).optional(),
    ...wholeInput,
  }),
  output: z.object({ conflicts: z.array(conflictRecord), ...listOutput }),
  mcp: { fieldsOfPrograms: ["page"], plainFields: ["limit"] },
  rest: { method: "GET", path: "/conflicts" },
  cli: {
    command: "conflicts",
    shelf: "everyday",
    noun: "conflicts",
    example: "cairn conflicts --status all",
  },
  async run({ tx, options }, input) {
    const filter = { status: input.status, kind: input.kind };
    const found = await loadConflicts(tx, filter, toPage(input, options));
    const total = await countConflicts(tx, filter);
    return { conflicts: found, ...listNumbers(input, total, options) };
  },
});
