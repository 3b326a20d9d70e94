import { and, asc, eq, gt, max, type SQL, sql } from "drizzle-orm";
import { insertRows, listOfRows, preparedQuery, rowsNamed, type Tx } from "../../database/index.ts";
import { yieldToEventLoop } from "../../kernel/abort.ts";
import { changeId } from "../input/item-ids.ts";
import type { EventRecord } from "./event.schema.ts";
import { type EventKind, eventItems, events } from "./event.table.ts";
import { itemsOfEvent } from "./items-of-event.ts";
import type { NewEvent } from "./new-event.ts";

/** Writes them behind all others, with the items that each concerns. Nothing waits for an answer. */
export async function appendEvents(
  tx: Tx,
  list: readonly NewEvent[],
  { now, changeId }: { now: string; changeId: number },
): Promise<void> {
  const rows = list.map(({ kind, subjectType, subjectId, payload }) => ({
    kind,
    subjectType,
    subjectId,
    payload,
    ts: now,
    changeId,
  }));
  await insertEvents(tx, rows);
  const items = list.flatMap((event, place) =>
    Array.from(itemsOfEvent(event), (item) => [item, list.length - 1 - place]),
  );
  if (items.length > 0) await insertItems(tx).execute({ items: listOfRows(items) });
}

const insertEvents = insertRows(events);

/** Events are numbered as they are written, so each has its place before the last. */
const insertItems = preparedQuery((tx) =>
  tx
    .insert(eventItems)
    .select(
      sql`select given.item, (select max(seq) from ${events}) - given.before_last
        from (${rowsNamed("items", { item: "text", before_last: "number" })}) given`,
    )
    .prepare(),
);

export interface EventFilter {
  readonly sinceSeq: number;
  readonly limit: number;
  readonly kind?: EventKind | undefined;
  /** A condition on its row, of the filters that were given. */
  readonly passes?: SQL | undefined;
}

/** So many are read in about 10 ms. */
const READ_AT_ONCE = 1000;

/** Events with `seq` greater than `sinceSeq`, oldest first. Others get a turn between the pages. */
export async function listEvents(tx: Tx, filter: EventFilter): Promise<EventRecord[]> {
  const wanted = and(
    filter.kind === undefined ? undefined : eq(events.kind, filter.kind),
    filter.passes,
  );
  const found: EventRecord[] = [];
  for (let last = filter.sinceSeq; ; ) {
    const limit = Math.min(READ_AT_ONCE, filter.limit - found.length);
    const rows = await tx
      .select()
      .from(events)
      .where(and(gt(events.seq, last), wanted))
      .orderBy(asc(events.seq))
      .limit(limit);
    for (const row of rows) found.push(toEventRecord(row));
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < limit || found.length === filter.limit) return found;
    await yieldToEventLoop();
  }
}

export function toEventRecord(row: typeof events.$inferSelect): EventRecord {
  return {
    seq: row.seq,
    ts: row.ts,
    kind: row.kind,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    payload: row.payload,
    change_id: row.changeId === null ? null : changeId(row.changeId),
  };
}

/** Sequence number of the newest event; 0 when nothing was written yet. */
export async function lastEventSeq(tx: Tx): Promise<number> {
  const [row] = await tx.select({ seq: max(events.seq) }).from(events);
  return row?.seq ?? 0;
}
