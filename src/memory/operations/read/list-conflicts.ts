import { z } from "zod";
import {
  countConflicts,
  listConflictPositions,
  loadConflicts,
} from "../../conflicts/conflict.queries.ts";
import { conflictRecord } from "../../conflicts/conflict.schema.ts";
import { CONFLICT_KINDS, CONFLICT_STATUSES } from "../../conflicts/conflict.table.ts";
import { createPredicate, selectFilterFields } from "../../filters/filter-condition.ts";
import { createRecordList, defineList, listByNumber } from "../define-list.ts";
import { placedOutput, wholeListInput } from "../paging.ts";

const EXCLUDED_FILTERS = ["type"] as const;

const { type: _, ...filters } = selectFilterFields("conflict");

export const listConflicts = defineList({
  name: "list_conflicts",
  summary: "List conflicts with both facts, newest first",
  input: z.strictObject({
    status: z.enum([...CONFLICT_STATUSES, "all"]).default("open"),
    kind: z.enum(CONFLICT_KINDS).optional(),
    ...filters,
    ...wholeListInput,
  }),
  output: z.object({ conflicts: z.array(conflictRecord), ...placedOutput }),
  mcp: { fieldsOfPrograms: ["page", "cursor", ...Object.keys(filters)], plainFields: ["limit"] },
  rest: { method: "GET", path: "/conflicts" },
  cli: {
    command: "list conflicts",
    example: "cairn list conflicts --status all",
  },
  async list(context, { status, kind, ...filterInput }) {
    const { tx } = context;
    const passes = await createPredicate("conflict", context, filterInput, EXCLUDED_FILTERS);
    const filter = { status, kind, passes };
    return createRecordList({
      order: "conflicts",
      page: filterInput,
      positions: (part) => listConflictPositions(tx, filter, part),
      count: () => countConflicts(tx, filter),
      load: listByNumber(loadConflicts),
    });
  },
  answer: (conflicts, numbers) => ({ conflicts, ...numbers }),
});
