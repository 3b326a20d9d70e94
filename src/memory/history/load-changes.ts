import { and, asc, between, desc, eq, gt, inArray, lt, max, type SQL, sql } from "drizzle-orm";
import { numberSet, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { groupBy } from "../../shared/collections.ts";
import { concepts } from "../concepts/concept.table.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { changes, rowChanges } from "../events/change.table.ts";
import { toEventRecord } from "../events/event.queries.ts";
import type { EventRecord, FieldChange } from "../events/event.schema.ts";
import { type EventKind, events } from "../events/event.table.ts";
import type { FeedFilter } from "../events/feed-filter.ts";
import { hasEvent } from "../events/has-event.ts";
import { scanOrLookUp } from "../events/read-feed.ts";
import { facts } from "../facts/fact.table.ts";
import { changeId } from "../input/item-ids.ts";
import { proposals } from "../proposals/proposal.table.ts";
import type { ChangeRecord } from "./change.schema.ts";
import { describeRows } from "./describe-rows.ts";

const MAX_TEXT_CHARACTERS = 200;

const MAX_SUBJECTS = 6;

async function previewSubjects(
  tx: Tx,
  events: readonly EventRecord[],
): Promise<Record<string, string>> {
  const requested = new Map<string, Set<string>>();
  for (const { subject_type: type, subject_id: id } of events.slice(0, MAX_SUBJECTS)) {
    const known = requested.get(type) ?? new Set<string>();
    requested.set(type, known.add(id));
  }
  const rows = [
    ...(await loadTexts(requested.get("episode"), (ids) =>
      tx
        .select({
          id: sql<string>`'ep:' || ${episodes.id}`,
          text: cutText(sql`${episodes.content}`),
        })
        .from(episodes)
        .where(inArray(episodes.id, ids.map(parseIdNumber))),
    )),
    ...(await loadTexts(requested.get("concept"), (ids) =>
      tx
        .select({ id: concepts.publicId, text: cutText(sql`${concepts.title}`) })
        .from(concepts)
        .where(inArray(concepts.publicId, [...ids])),
    )),
    ...(await loadTexts(requested.get("fact"), (ids) =>
      tx
        .select({
          id: sql<string>`'fact:' || ${facts.id}`,
          text: cutText(sql`${episodes.content}`),
        })
        .from(facts)
        .innerJoin(episodes, eq(episodes.id, facts.episodeId))
        .where(inArray(facts.id, ids.map(parseIdNumber))),
    )),
    ...(await loadTexts(requested.get("conflict"), (ids) =>
      tx
        .select({
          id: sql<string>`'conflict:' || ${conflicts.id}`,
          text: cutText(sql`coalesce(${conflicts.description}, '')`),
        })
        .from(conflicts)
        .where(inArray(conflicts.id, ids.map(parseIdNumber))),
    )),
    ...(await loadTexts(requested.get("proposal"), (ids) =>
      tx
        .select({
          id: sql<string>`'proposal:' || ${proposals.id}`,
          text: cutText(sql`${proposals.content}`),
        })
        .from(proposals)
        .where(inArray(proposals.id, ids.map(parseIdNumber))),
    )),
  ];
  return Object.fromEntries(rows.map(({ id, text }) => [id, text]));
}

type Text = { readonly id: string; readonly text: string };

function loadTexts(
  ids: ReadonlySet<string> | undefined,
  load: (ids: readonly string[]) => Promise<Text[]>,
): Promise<Text[]> {
  return ids === undefined ? Promise.resolve([]) : loadInBatches([...ids], load);
}

function cutText(text: ReturnType<typeof sql>) {
  return sql<string>`substr(${text}, 1, ${MAX_TEXT_CHARACTERS})`;
}

function parseIdNumber(id: string): number {
  return Number(id.slice(id.indexOf(":") + 1));
}

export type ChangeRow = typeof changes.$inferSelect;

export interface ChangeFilter {
  readonly author?: string | undefined;
  readonly session?: string | undefined;
  readonly kind?: EventKind | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export interface ChangeRequest extends ChangeFilter {
  readonly filter?: FeedFilter | undefined;
}

export function changesWhere(filter: ChangeFilter): SQL | undefined {
  const { author, session, kind, before, after } = filter;
  return and(
    author === undefined ? undefined : eq(changes.author, author),
    session === undefined ? undefined : eq(changes.session, session),
    before === undefined ? undefined : lt(changes.id, before),
    after === undefined ? undefined : gt(changes.id, after),
    kind === undefined ? undefined : hasEvent(eq(events.kind, kind)),
  );
}

export async function listChanges(
  tx: Tx,
  requested: ChangeRequest,
  limit: number,
): Promise<ChangeRow[]> {
  const { kind, filter } = requested;
  const isNarrow = kind !== undefined || filter !== undefined;
  const within = (condition: SQL | undefined, limit: number) =>
    tx
      .select()
      .from(changes)
      .where(and(changesWhere(requested), filter?.passes, condition))
      .orderBy(desc(changes.id))
      .limit(limit);
  if (!isNarrow) return within(undefined, limit);
  const first = Math.min(requested.before ?? Infinity, (await newestChange(tx)) + 1) - 1;
  const last = (requested.after ?? 0) + 1;
  if (first < last) return [];
  return scanOrLookUp({
    first,
    last,
    limit,
    within: (from, to, limit) => within(between(changes.id, to, from), limit),
    readMatching: (numbers, limit) => within(sql`${changes.id} in (${numberSet(numbers)})`, limit),
    findIfFew: async (limit) =>
      (await filter?.findIfFew(tx, limit)) ??
      (kind === undefined ? undefined : findIfFewOfKind(tx, kind, limit)),
  });
}

async function newestChange(tx: Tx): Promise<number> {
  const [row] = await tx.select({ id: max(changes.id) }).from(changes);
  return row?.id ?? 0;
}

async function findIfFewOfKind(tx: Tx, kind: EventKind, limit: number) {
  const found = await tx
    .select({ number: events.changeId })
    .from(events)
    .where(eq(events.kind, kind))
    .limit(limit + 1);
  if (found.length > limit) return undefined;
  return [...new Set(found.flatMap(({ number }) => number ?? []))];
}

/** Events included in a change; further ones are only counted. */
const MAX_EVENTS = 50;

export async function toChangeRecords(
  tx: Tx,
  rows: readonly ChangeRow[],
  included: { readonly diff: boolean; readonly texts: boolean },
): Promise<ChangeRecord[]> {
  const numbers = rows.map(({ id }) => id);
  const counts = new Map(
    (
      await loadInBatches(numbers, (slice) =>
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
      .limit(MAX_EVENTS);
    const shownEvents = found.map(toEventRecord);
    records.push({
      ...toRecord(row),
      event_count: counts.get(row.id) ?? 0,
      events: shownEvents,
      ...(included.texts && { texts: await previewSubjects(tx, shownEvents) }),
      ...(included.diff && { changed: await loadDiff(tx, row.id) }),
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

const MAX_ROWS = 1000;

async function loadDiff(tx: Tx, number: number): Promise<FieldChange[]> {
  const rows = await tx
    .select()
    .from(rowChanges)
    .where(eq(rowChanges.changeId, number))
    .orderBy(asc(rowChanges.seq))
    .limit(MAX_ROWS);
  return (await describeRows(tx, rows)).flatMap(({ changed }) => changed);
}

/**
 * Adds the changed fields to update events. Several updates of one item in a change are combined
 * and described by the last of them.
 */
export async function addFieldChanges(
  tx: Tx,
  records: readonly EventRecord[],
  about?: { readonly item: string; readonly rows: SQL | undefined },
): Promise<EventRecord[]> {
  const requested = records.filter(
    ({ kind, change_id: id }) => id !== null && (about !== undefined || kind === "updated"),
  );
  if (requested.length === 0) return [...records];
  const numbers = [...new Set(requested.map(({ change_id: id }) => Number(id?.slice(7))))];
  const rows = await loadInBatches(numbers, (slice) =>
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
  const inOrder = [...requested].sort((a, b) => a.seq - b.seq);
  const last = new Map(inOrder.map((record) => [locationKey(record, about), record.seq]));
  return records.map((record) => {
    const key = locationKey(record, about);
    const changed = last.get(key) === record.seq ? fields.get(key) : undefined;
    return changed === undefined ? record : { ...record, changed: changed.map((it) => it.field) };
  });
}

/** Returns the item whose changes are described: the queried item or the event's subject. */
function locationKey(record: EventRecord, about: { readonly item: string } | undefined): string {
  return `${record.change_id} ${about?.item ?? record.subject_id}`;
}
