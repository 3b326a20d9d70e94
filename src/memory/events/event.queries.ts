import { and, asc, eq, gt, max, sql } from "drizzle-orm";
import { preparedQuery, type Tx } from "../../database/index.ts";
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

/** Returns its number. */
export async function appendEvent(
  tx: Tx,
  { kind, subjectType, subjectId, payload }: NewEvent,
  { now, changeId }: { now: string; changeId: number },
): Promise<number> {
  const [row] = await insertEvent(tx).execute({
    kind,
    subjectType,
    subjectId,
    payload: payload === undefined ? null : JSON.stringify(payload),
    now,
    changeId,
  });
  if (row === undefined) throw new Error("The event was not stored.");
  return row.seq;
}

const insertEvent = preparedQuery((tx) =>
  tx
    .insert(events)
    .values({
      kind: sql.placeholder("kind"),
      subjectType: sql.placeholder("subjectType"),
      subjectId: sql.placeholder("subjectId"),
      // As text: the column would write null as the JSON of null.
      payload: sql`${sql.placeholder("payload")}`,
      ts: sql.placeholder("now"),
      changeId: sql.placeholder("changeId"),
    })
    .returning({ seq: events.seq })
    .prepare(),
);

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
