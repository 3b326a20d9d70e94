import { z } from "zod";
import {
  countConflicts,
  listConflictPlaces,
  loadConflicts,
} from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { CONFLICT_KINDS, CONFLICT_STATUSES } from "../../conflicts/conflict.table.ts";
import { filterFieldsFor, passing } from "../../filters/filter-condition.ts";
import { byNumber, defineList, recordList } from "../define-list.ts";
import { placedOutput, wholeInput } from "../paging.ts";

const NOT_OF_CONFLICTS = ["type"] as const;

const { type: _, ...filters } = filterFieldsFor("conflict");

export const listConflicts = defineList({
  name: "list_conflicts",
  summary: "List conflicts with both facts, newest first",
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
    command: "list conflicts",
    example: "cairn list conflicts --status all",
  },
  async list(context, { status, kind, ...given }) {
    const { tx } = context;
    const passes = await passing("conflict", context, given, NOT_OF_CONFLICTS);
    const filter = { status, kind, passes };
    return recordList({
      order: "conflicts",
      page: given,
      places: (part) => listConflictPlaces(tx, filter, part),
      count: () => countConflicts(tx, filter),
      load: byNumber(loadConflicts),
    });
  },
  answer: (conflicts, numbers) => ({ conflicts, ...numbers }),
});
