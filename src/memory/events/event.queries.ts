import { and, asc, eq, gt, max } from "drizzle-orm";
import { insertNumberedRows, type Tx } from "../../database/index.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { changeId } from "../input/item-ids.ts";
import type { EventRecord } from "./event.schema.ts";
import { type EventKind, events, type SUBJECT_TYPES } from "./event.table.ts";

export interface NewEvent {
  readonly kind: EventKind;
  readonly subjectType: (typeof SUBJECT_TYPES)[number];
  readonly subjectId: string;
  readonly payload?: JsonObject;
  /** Items that have a part in it beside the subject and the ids in the payload. */
  readonly about?: readonly string[] | undefined;
  /** Who asserted it. */
  readonly author?: string | undefined;
}

/** Returns their numbers. */
export function appendEvents(
  tx: Tx,
  list: readonly NewEvent[],
  { now, changeId }: { now: string; changeId: number },
): Promise<number[]> {
  const rows = list.map(({ kind, subjectType, subjectId, payload }) => ({
    kind,
    subjectType,
    subjectId,
    payload,
    ts: now,
    changeId,
  }));
  return insertEvents(tx, rows);
}

const insertEvents = insertNumberedRows(events, events.seq);

export interface EventFilter {
  readonly sinceSeq: number;
  readonly limit: number;
  readonly kind?: EventKind | undefined;
}

/** Events with `seq` greater than `sinceSeq`, oldest first. */
export async function listEvents(tx: Tx, filter: EventFilter): Promise<EventRecord[]> {
  const wanted = filter.kind === undefined ? undefined : eq(events.kind, filter.kind);
  const rows = await tx
    .select()
    .from(events)
    .where(and(gt(events.seq, filter.sinceSeq), wanted))
    .orderBy(asc(events.seq))
    .limit(filter.limit);
  return rows.map(toEventRecord);
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
