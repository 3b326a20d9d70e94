import { and, desc, eq, lt } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { toEventRecord } from "../events/event.queries.ts";
import type { EventRecord } from "../events/event.schema.ts";
import { eventItems, events } from "../events/event.table.ts";
import { type HistoryItem, rowsCondition } from "./find-item.ts";
import { withWhatChanged } from "./load-changes.ts";

export async function loadHistory(
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
  return withWhatChanged(tx, found, { item: item.item, rows: rowsCondition(item) });
}
