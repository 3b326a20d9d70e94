import { and, asc, eq, gt, lte, max, type SQL, sql } from "drizzle-orm";
import {
  type Database,
  insertRows,
  listOfRows,
  numberSet,
  preparedQuery,
  rowsParameter,
  type Tx,
} from "../../database/index.ts";
import { sleep, yieldToEventLoop } from "../../shared/async.ts";
import { changeId } from "../input/item-ids.ts";
import type { EventRecord } from "./event.schema.ts";
import { type EventKind, eventItems, events } from "./event.table.ts";
import type { NewEvent } from "./event-items.ts";
import { listEventItems } from "./event-items.ts";
import type { FeedFilter } from "./feed-filter.ts";
import { EVENTS_PER_READ, scanOrLookUp } from "./read-feed.ts";

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
  const items = list.flatMap((event, index) =>
    Array.from(listEventItems(event), (item) => [item, list.length - 1 - index]),
  );
  if (items.length > 0) await insertItems(tx).execute({ items: listOfRows(items) });
}

const insertEvents = insertRows(events);

/** Numbers ascend in insertion order, so each event's is an offset from the last. */
const insertItems = preparedQuery((tx) =>
  tx
    .insert(eventItems)
    .select(
      sql`select given.item, (select max(seq) from ${events}) - given.before_last
        from (${rowsParameter("items", { item: "text", before_last: "number" })}) given`,
    )
    .prepare(),
);

export interface EventFilter {
  readonly sinceSeq: number;
  readonly limit: number;
  readonly kind?: EventKind | undefined;
  readonly filter?: FeedFilter | undefined;
}

/** Lists later events, oldest first. Yields to the event loop between pages. */
export async function listEvents(tx: Tx, requested: EventFilter): Promise<EventRecord[]> {
  const { sinceSeq, limit, kind, filter } = requested;
  const ofKind = kind === undefined ? undefined : eq(events.kind, kind);
  if (filter === undefined) return readEvents(tx, { after: sinceSeq, limit, condition: ofKind });
  const last = await lastEventSeq(tx);
  if (last <= sinceSeq) return [];
  const condition = and(ofKind, filter.passes);
  return scanOrLookUp({
    first: sinceSeq + 1,
    last,
    limit,
    within: (from, to, limit) =>
      readEvents(tx, {
        after: from - 1,
        limit: limit,
        condition: and(lte(events.seq, to), condition),
      }),
    readMatching: (numbers, limit) =>
      readEvents(tx, {
        limit: limit,
        condition: and(sql`${events.seq} in (${numberSet(numbers)})`, condition),
      }),
    findIfFew: (limit) => filter.findIfFew(tx, limit),
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
    const max = Math.min(EVENTS_PER_READ, limit - found.length);
    const rows = await tx
      .select()
      .from(events)
      .where(and(last === undefined ? undefined : gt(events.seq, last), condition))
      .orderBy(asc(events.seq))
      .limit(max);
    for (const row of rows) found.push(toEventRecord(row));
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < max || found.length === limit) return found;
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

export async function lastEventSeq(tx: Tx): Promise<number> {
  const [row] = await tx.select({ seq: max(events.seq) }).from(events);
  return row?.seq ?? 0;
}

export interface FeedSource {
  isThere(): Promise<boolean>;
  database(): Promise<Database>;
}

export interface FollowOptions {
  readonly sinceSeq: number;
  readonly kind?: EventKind | undefined;
  readonly filter?: ((tx: Tx) => Promise<FeedFilter | undefined>) | undefined;
  readonly signal: AbortSignal;
  readonly idleMs?: number;
}

const POLL_INTERVAL_MS = 100;
const BATCH_SIZE = 500;

interface Waiter {
  /** Resolves once the newest event is later than this sequence number. */
  readonly after: number;
  readonly wake: () => void;
}

/**
 * Follows one database's change feed. Sees writes of every process by polling the newest sequence
 * number ten times a second while there are followers, once for all of them. The feed of a missing
 * database is empty.
 */
export class ChangeFeed {
  readonly #source: FeedSource;
  readonly #pollMs: number;
  readonly #waiters = new Set<Waiter>();
  #isPolling = false;

  constructor(source: FeedSource, pollMs = POLL_INTERVAL_MS) {
    this.#source = source;
    this.#pollMs = pollMs;
  }

  async position(): Promise<number> {
    if (!(await this.#source.isThere())) return 0;
    const database = await this.#source.database();
    return database.read((tx) => lastEventSeq(tx));
  }

  /**
   * Yields batches of events in order, existing ones first, then new ones as they are committed,
   * until the signal aborts. Does not read ahead of a slow consumer.
   */
  async *follow(options: FollowOptions): AsyncGenerator<readonly EventRecord[], void, void> {
    const { signal, idleMs } = options;
    let since = options.sinceSeq;
    while (!signal.aborted) {
      const { found, reached } = await this.#read(since, options);
      since = reached;
      if (found.length > 0) {
        yield found;
      } else if (!(await this.#waitForLater(since, { signal, idleMs })) && !signal.aborted) {
        yield [];
      }
    }
  }

  async #read(since: number, { kind, filter }: FollowOptions) {
    if (!(await this.#source.isThere())) return { found: [], reached: since };
    const database = await this.#source.database();
    return database.read(async (tx) => {
      const newest = await lastEventSeq(tx);
      if (newest <= since) return { found: [], reached: since };
      const found = await listEvents(tx, {
        sinceSeq: since,
        limit: BATCH_SIZE,
        kind,
        filter: await filter?.(tx),
      });
      const last = found.length === BATCH_SIZE ? found.at(-1)?.seq : undefined;
      return { found, reached: last ?? newest };
    });
  }

  #waitForLater(
    after: number,
    { signal, idleMs }: { signal: AbortSignal; idleMs: number | undefined },
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isLater: boolean) => {
        clearTimeout(idle);
        signal.removeEventListener("abort", stop);
        this.#waiters.delete(waiter);
        resolve(isLater);
      };
      const stop = () => finish(false);
      const waiter: Waiter = { after, wake: () => finish(true) };
      const idle = idleMs === undefined ? undefined : setTimeout(stop, idleMs);
      if (signal.aborted) {
        stop();
        return;
      }
      signal.addEventListener("abort", stop, { once: true });
      this.#waiters.add(waiter);
      void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    while (this.#waiters.size > 0) {
      await sleep(this.#pollMs);
      const newest = await this.#newestOrFailure();
      for (const waiter of [...this.#waiters]) {
        if (newest > waiter.after) waiter.wake();
      }
    }
    this.#isPolling = false;
  }

  async #newestOrFailure(): Promise<number> {
    try {
      return await this.position();
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}
