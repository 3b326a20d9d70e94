import { z } from "zod";
import { EVENT_KINDS } from "../../events/event.table.ts";
import { buildFeedFilter } from "../../filters/feed-filter.ts";
import { selectFilterFields } from "../../filters/filter-condition.ts";
import { FILTER_NAMES } from "../../filters/filter-table.ts";
import { changeRecord } from "../../history/change.schema.ts";
import { listChanges, toChangeRecords } from "../../history/load-changes.ts";
import { changeIdField, endTimeField, nameField, startTimeField } from "../../input/fields.ts";
import { parseChangeId } from "../../input/item-ids.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

export const changes = defineOperation({
  name: "changes",
  summary: "List the changes, newest first: who wrote what, when, and what was undone",
  description:
    "Each write is one change with an id such as change:7, which `undo` accepts. Filters on items " +
    "select changes with an event about an item that matches all of them, deleted or not.",
  kind: "read",
  input: z.strictObject({
    ...selectFilterFields("change"),
    by: selectFilterFields("change").by.describe(
      "Author; without one, cli, rest, mcp, agent or library.",
    ),
    author: nameField.optional().describe("Alias of `by` for one name."),
    kind: z.enum(EVENT_KINDS).optional().describe("Only changes with an event of this kind."),
    start_date: startTimeField.optional().describe("Alias of `since`."),
    end_date: endTimeField.optional().describe("Alias of `until`."),
    before: changeIdField
      .optional()
      .describe("Only changes before this one; `next_before` of a page."),
    after: changeIdField.optional().describe("Only changes after this one."),
    diff: z.boolean().default(false).describe("Show each field before and after."),
    texts: z
      .boolean()
      .default(false)
      .describe("Include the text of the first items of each change."),
    limit: limitField.default(50),
  }),
  output: z.object({
    count: z.number().int(),
    changes: z.array(changeRecord),
    next_before: z.string().nullable(),
  }),
  mcp: {
    purpose: "List changes of memory, newest first; each has an id, such as change:7, for `undo`.",
    detail: "",
    fieldsOfPrograms: [...FILTER_NAMES, "kind", "after", "texts"],
    plainFields: ["author", "start_date", "end_date", "before", "diff", "limit"],
  },
  rest: { method: "GET", path: "/changes" },
  cli: { command: false, example: "cairn log --by Ada --since 2d" },
  async run(context, input) {
    const { tx } = context;
    const { author, kind, start_date: since, end_date: until, limit, ...filters } = input;
    const found = await listChanges(
      tx,
      {
        author,
        kind,
        filter: await buildFeedFilter("change", context, {
          ...filters,
          since: filters.since ?? since,
          until: filters.until ?? until,
        }),
        before: input.before === undefined ? undefined : parseChangeId(input.before, "before"),
        after: input.after === undefined ? undefined : parseChangeId(input.after, "after"),
      },
      limit + 1,
    );
    const records = await toChangeRecords(tx, found.slice(0, limit), input);
    const next = found.length > limit ? (records.at(-1)?.id ?? null) : null;
    return { count: records.length, changes: records, next_before: next };
  },
});
