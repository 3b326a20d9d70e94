import { z } from "zod";
import {
  countConflicts,
  listConflictPlaces,
  loadConflicts,
} from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { CONFLICT_KINDS, CONFLICT_STATUSES } from "../../conflicts/conflict.table.ts";
import { wholeList } from "../../context/whole-list.ts";
import { defineOperation } from "../define-operation.ts";
import { listNumbers, placedOutput, placesOf, wholeInput } from "../paging.ts";

export const listConflicts = defineOperation({
  name: "list_conflicts",
  summary: "List conflicts with both facts, newest first",
  kind: "read",
  input: z.strictObject({
    status: z.enum([...CONFLICT_STATUSES, "all"]).default("open"),
    kind: z.enum(CONFLICT_KINDS).optional(),
    ...wholeInput,
  }),
  output: z.object({ conflicts: z.array(conflictRecord), ...placedOutput }),
  mcp: { fieldsOfPrograms: ["page", "cursor"], plainFields: ["limit"] },
  rest: { method: "GET", path: "/conflicts" },
  cli: {
    command: "conflicts",
    shelf: "everyday",
    noun: "conflicts",
    example: "cairn conflicts --status all",
  },
  async run(context, input) {
    const { tx, options } = context;
    const filter = { status: input.status, kind: input.kind };
    const { places, next } = await placesOf(input, options, {
      order: "conflicts",
      load: (part) => listConflictPlaces(tx, filter, part),
    });
    const numbers = places.map(([, number]) => number);
    const total = await countConflicts(tx, filter);
    return {
      conflicts: await wholeList(context, numbers, loadConflicts),
      ...listNumbers(input, total, options),
      ...next,
    };
  },
});
