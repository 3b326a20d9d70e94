import { z } from "zod";
import {
  countConflicts,
  listConflictPlaces,
  loadConflicts,
} from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { CONFLICT_KINDS, CONFLICT_STATUSES } from "../../conflicts/conflict.table.ts";
import { wholeList } from "../../context/whole-list.ts";
import { passing } from "../../filters/filter-condition.ts";
import { filterFieldsFor } from "../../filters/filter-fields.ts";
import { defineOperation } from "../define-operation.ts";
import { listNumbers, placedOutput, placesOf, wholeInput } from "../paging.ts";

// Its own kind says what a conflict is; the type of its facts is always "fact".
const { type: _, ...filters } = filterFieldsFor("conflict");

export const listConflicts = defineOperation({
  name: "list_conflicts",
  summary: "List conflicts with both facts, newest first",
  kind: "read",
  input: z.strictObject({
    status: z.enum([...CONFLICT_STATUSES, "all"]).default("open"),
    kind: z.enum(CONFLICT_KINDS).optional(),
    ...filters,
    ...wholeInput,
  }),
  output: z.object({ conflicts: z.array(conflictRecord), ...placedOutput }),
  mcp: { fieldsOfPrograms: ["page", "cursor", ...Object.keys(filters)], plainFields: ["limit"] },
  rest: { method: "GET", path: "/conflicts" },
  cli: {
    command: "conflicts",
    shelf: "everyday",
    noun: "conflicts",
    example: "cairn conflicts --status all",
  },
  async run(context, input) {
    const { tx, options } = context;
    const { status, kind, ...given } = input;
    const filter = { status, kind, passes: await passing("conflict", context, given) };
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
