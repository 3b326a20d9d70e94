import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { inBatches } from "../../kernel/in-batches.ts";
import { changes, rowChanges } from "../events/change.table.ts";
import { toEventRecord } from "../events/event.queries.ts";
import type { EventRecord, FieldChange } from "../events/event.schema.ts";
import { type EventKind, events } from "../events/event.table.ts";
import { changeId } from "../input/item-ids.ts";
import type { ChangeRecord } from "./change.schema.ts";
import { describeRows } from "./describe-rows.ts";
import { previewSubjects } from "./preview-subjects.ts";

export type ChangeRow = typeof changes.$inferSelect;

export interface ChangeFilter {
  readonly author?: string | undefined;
  readonly session?: string | undefined;
  readonly kind?: EventKind | undefined;
  /** Only changes with a smaller number. */
  readonly before?: number | undefined;
  /** Only changes with a greater number. */
  readonly after?: number | undefined;
  /** A condition on the row of a change, made from the filters. */
  readonly passes?: SQL | undefined;
}

export function changesWhere(filter: ChangeFilter): SQL | undefined {
  const { author, session, kind, before, after, passes } = filter;
  return and(
    author === undefined ? undefined : eq(changes.author, author),
    session === undefined ? undefined : eq(changes.session, session),
    before === undefined ? undefined : lt(changes.id, before),
    after === undefined ? undefined : gt(changes.id, after),
    kind === undefined
      ? undefined
      : sql`exists (select 1 from ${events} where ${events.changeId} = ${changes.id} and ${events.kind} = ${kind})`,
    passes,
  );
}

/** Newest first. */
export async function listChanges(
  tx: Tx,
  filter: ChangeFilter,
  limit: number,
): Promise<ChangeRow[]> {
  return tx
    .select()
    .from(changes)
    .where(changesWhere(filter))
    .orderBy(desc(changes.id))
    .limit(limit);
}

/** How many events of a change are shown; if there are more, their number is given. */
const EVENTS_SHOWN = 50;

/** Converts changes to the form that callers see, with their events and, if asked for, what these changed. */
export async function toChangeRecords(
  tx: Tx,
  rows: readonly ChangeRow[],
  shown: { readonly diff: boolean; readonly texts: boolean },
): Promise<ChangeRecord[]> {
  const numbers = rows.map(({ id }) => id);
  const counts = new Map(
    (
      await inBatches(numbers, (slice) =>
        tx
          .select({ number: events.changeId, total: sql<number>`count(*)` })
          .from(events)
          .where(inArray(events.changeId, slice))
          .groupBy(events.changeId),
      )
    ).map(({ number, total }) => [number, total]),
  );
  const records: ChangeRecord[] = [];
  for (const row of rows) {
    const found = await tx
      .select()
      .from(events)
      .where(eq(events.changeId, row.id))
      .orderBy(asc(events.seq))
      .limit(EVENTS_SHOWN);
    const shownEvents = found.map(toEventRecord);
    records.push({
      ...toRecord(row),
      event_count: counts.get(row.id) ?? 0,
      events: shownEvents,
      ...(shown.texts && { texts: await previewSubjects(tx, shownEvents) }),
      ...(shown.diff && { changed: await diffOf(tx, row.id) }),
    });
  }
  return records;
}

function toRecord(row: ChangeRow) {
  return {
    id: changeId(row.id),
    ts: row.ts,
    author: row.author,
    surface: row.surface,
    session: row.session,
    operation: row.operation,
    undo_of: (row.undoOf ?? []).map(changeId),
    undone_by: row.undoneBy === null ? null : changeId(row.undoneBy),
  };
}

/** How many rows of a change a diff shows. */
const ROWS_SHOWN = 1000;

async function diffOf(tx: Tx, number: number): Promise<FieldChange[]> {
  const rows = await tx
    .select()
    .from(rowChanges)
    .where(eq(rowChanges.changeId, number))
    .orderBy(asc(rowChanges.seq))
    .limit(ROWS_SHOWN);
  return (await describeRows(tx, rows)).flatMap(({ changed }) => changed);
}

/**
 * Adds to update events what they changed on their subject. Several updates of one item in a change count as
 * one step, and the last of them describes it.
 */
export async function withWhatChanged(
  tx: Tx,
  records: readonly EventRecord[],
  about?: { readonly item: string; readonly rows: SQL | undefined },
): Promise<EventRecord[]> {
  const wanted = records.filter(
    ({ kind, change_id: id }) => id !== null && (about !== undefined || kind === "updated"),
  );
  if (wanted.length === 0) return [...records];
  const numbers = [...new Set(wanted.map(({ change_id: id }) => Number(id?.slice(7))))];
  const rows = await inBatches(numbers, (slice) =>
    tx
      .select()
      .from(rowChanges)
      .where(and(inArray(rowChanges.changeId, slice), about?.rows))
      .orderBy(asc(rowChanges.seq)),
  );
  const described = await describeRows(tx, rows);
  const fields = groupBy(
    described.flatMap(({ row, changed }) =>
      changed.map((field) => ({ field, place: `${changeId(row.changeId)} ${field.subject_id}` })),
    ),
    ({ place }) => place,
  );
  const inOrder = [...wanted].sort((a, b) => a.seq - b.seq);
  const last = new Map(inOrder.map((record) => [placeOf(record, about), record.seq]));
  return records.map((record) => {
    const place = placeOf(record, about);
    const changed = last.get(place) === record.seq ? fields.get(place) : undefined;
    return changed === undefined ? record : { ...record, changed: changed.map((it) => it.field) };
  });
}

/** The item on which an event's effect is described: its subject, or the item that is asked about. */
function placeOf(record: EventRecord, about: { readonly item: string } | undefined): string {
  return `${record.change_id} ${about?.item ?? record.subject_id}`;
}
