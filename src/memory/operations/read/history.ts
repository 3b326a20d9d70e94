import { and, desc, eq, lt } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../../database/index.ts";
import { toEventRecord } from "../../events/event.queries.ts";
import { type EventRecord, eventRecord } from "../../events/event.schema.ts";
import { eventItems, events } from "../../events/event.table.ts";
import { loadVersion } from "../../history/change-recorder.ts";
import { findItem, type HistoryItem, rowsCondition } from "../../history/find-item.ts";
import { addFieldChanges } from "../../history/load-changes.ts";
import { OWNER_KINDS } from "../../history/logged-tables.ts";
import { idField } from "../../input/fields.ts";
import { defineOperation } from "../define-operation.ts";
import { limitField } from "../paging.ts";

export const history = defineOperation({
  name: "history",
  summary: "Show the history of an item, newest first, with the changes of each step",
  description:
    "Accepts episodes, facts, concepts, conflicts, entities, topics, and labels given as key=value. " +
    "`version` is what writes take as `if_match`.",
  kind: "read",
  input: z.strictObject({
    id: idField,
    limit: limitField.default(50),
    before_seq: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Only events before this number: `next_before_seq` of the previous page."),
  }),
  output: z.object({
    id: z.string(),
    kind: z.enum([...OWNER_KINDS, "label"]),
    version: z.number().int(),
    count: z.number().int(),
    events: z.array(eventRecord),
    next_before_seq: z.number().int().nullable(),
  }),
  mcp: {
    purpose: "Show what happened to one item of memory (or label key=value), newest first.",
    detail: "",
    plainFields: ["limit", "before_seq"],
  },
  rest: { method: "GET", path: "/history/{id}" },
  cli: { command: false, example: "cairn log ep:3" },
  async run({ tx }, { id, limit, before_seq: before }) {
    const item = await findItem(tx, id);
    const found = await loadHistory(tx, item, { limit: limit + 1, before });
    const events = found.slice(0, limit);
    return {
      id: item.item,
      kind: item.kind,
      version: await loadVersion(tx, item.item),
      count: events.length,
      events,
      next_before_seq: found.length > limit ? (events.at(-1)?.seq ?? null) : null,
    };
  },
});

async function loadHistory(
  tx: Tx,
  item: HistoryItem,
  page: { limit: number; before: number | undefined },
): Promise<EventRecord[]> {
  const rows = await tx
    .select({ event: events })
    .from(eventItems)
    .innerJoin(events, eq(events.seq, eventItems.seq))
    .where(
      and(
        eq(eventItems.item, item.item),
        page.before === undefined ? undefined : lt(eventItems.seq, page.before),
      ),
    )
    .orderBy(desc(eventItems.seq))
    .limit(page.limit);
  const found = rows.map(({ event }) => toEventRecord(event));
  return addFieldChanges(tx, found, { item: item.item, rows: rowsCondition(item) });
}
