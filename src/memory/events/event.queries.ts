import { and, asc, eq, gt, lte, max, type SQL, sql } from "drizzle-orm";
import {
  insertRows,
  listOfRows,
  numberSet,
  preparedQuery,
  rowsNamed,
  type Tx,
} from "../../database/index.ts";
import { yieldToEventLoop } from "../../shared/async.ts";
import { changeId } from "../input/item-ids.ts";
import type { EventRecord } from "./event.schema.ts";
import { type EventKind, eventItems, events } from "./event.table.ts";
import type { FeedFilter } from "./feed-filter.ts";
import { itemsOfEvent } from "./items-of-event.ts";
import type { NewEvent } from "./new-event.ts";
import { READ_AT_ONCE, readInTurns } from "./read-in-turns.ts";

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
  readonly filter?: FeedFilter | undefined;
}

/** Events with `seq` greater than `sinceSeq`, oldest first. Others get a turn between the pages. */
export async function listEvents(tx: Tx, wanted: EventFilter): Promise<EventRecord[]> {
  const { sinceSeq, limit, kind, filter } = wanted;
  const ofKind = kind === undefined ? undefined : eq(events.kind, kind);
  if (filter === undefined) return readEvents(tx, { after: sinceSeq, limit, condition: ofKind });
  const last = await lastEventSeq(tx);
  if (last <= sinceSeq) return [];
  const condition = and(ofKind, filter.passes);
  return readInTurns({
    first: sinceSeq + 1,
    last,
    limit,
    within: (from, to, most) =>
      readEvents(tx, {
        after: from - 1,
        limit: most,
        condition: and(lte(events.seq, to), condition),
      }),
    among: (numbers, most) =>
      readEvents(tx, {
        limit: most,
        condition: and(sql`${events.seq} in (${numberSet(numbers)})`, condition),
      }),
    few: (most) => filter.few(tx, most),
  });
}

interface EventRange {
  readonly after?: number;
  readonly limit: number;
  readonly condition: SQL | undefined;
}

async function readEvents(tx: Tx, { after, limit, condition }: EventRange): Promise<EventRecord[]> {
  const found: EventRecord[] = [];
  for (let last = after; ; ) {
    const most = Math.min(READ_AT_ONCE, limit - found.length);
    const rows = await tx
      .select()
      .from(events)
      .where(and(last === undefined ? undefined : gt(events.seq, last), condition))
      .orderBy(asc(events.seq))
      .limit(most);
    for (const row of rows) found.push(toEventRecord(row));
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < most || found.length === limit) return found;
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
