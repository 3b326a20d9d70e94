import { z } from "zod";
import { listEvents } from "../../events/event.queries.ts";
import { eventRecord } from "../../events/event.schema.ts";
import { EVENT_KINDS } from "../../events/event.table.ts";
import { buildFeedFilter } from "../../filters/feed-filter.ts";
import { selectFilterFields } from "../../filters/filter-condition.ts";
import { FILTER_NAMES } from "../../filters/filter-table.ts";
import { addFieldChanges } from "../../history/load-changes.ts";
import { countField } from "../../input/fields.ts";
import { defineOperation } from "../define-operation.ts";

const MAX_EVENTS = 10_000;

export const events = defineOperation({
  name: "events",
  summary: "Read the change feed after a sequence number",
  description: "Pass `next_since_seq` as `since_seq` the next time.",
  kind: "read",
  input: z.strictObject({
    since_seq: countField.default(0),
    limit: z.number().int().min(1).max(MAX_EVENTS).default(200),
    kind: z.enum(EVENT_KINDS).optional(),
    ...selectFilterFields("event"),
  }),
  output: z.object({
    since_seq: z.number().int(),
    count: z.number().int(),
    events: z.array(eventRecord),
    next_since_seq: z.number().int(),
  }),
  mcp: {
    interfaces: ["a"],
    core: true,
    purpose: "Read the change feed of memory after a sequence number.",
    searchHint: "memory change feed what is new",
    fieldsOfPrograms: FILTER_NAMES,
  },
  rest: { method: "GET", path: "/events", stream: true },
  cli: { command: false, example: "cairn events" },
  async run(context, input) {
    const { tx } = context;
    const found = await addFieldChanges(
      tx,
      await listEvents(tx, {
        sinceSeq: input.since_seq,
        limit: input.limit,
        kind: input.kind,
        filter: await buildFeedFilter("event", context, input),
      }),
    );
    return {
      since_seq: input.since_seq,
      count: found.length,
      events: found,
      next_since_seq: found.at(-1)?.seq ?? input.since_seq,
    };
  },
});
