import type { Database, Tx } from "../../database/index.ts";
import { sleep } from "../../shared/async.ts";
import { lastEventSeq, listEvents } from "./event.queries.ts";
import type { EventRecord } from "./event.schema.ts";
import type { EventKind } from "./event.table.ts";
import type { FeedFilter } from "./feed-filter.ts";

export interface FeedSource {
  isThere(): Promise<boolean>;
  database(): Promise<Database>;
}

export interface FollowOptions {
  /** Events after this sequence number; 0 for all. */
  readonly sinceSeq: number;
  readonly kind?: EventKind | undefined;
  readonly filter?: ((tx: Tx) => Promise<FeedFilter | undefined>) | undefined;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
  /** An empty batch is yielded after this many milliseconds without an event. Default: never. */
  readonly idleMs?: number;
}

const POLL_MS = 100;
const BATCH = 500;

interface Waiter {
  /** Woken once the newest event is later than this. */
  readonly after: number;
  readonly wake: () => void;
}

/**
 * The change feed of one database, live. It sees the writes of every process, by looking at the
 * newest sequence number ten times a second for as long as somebody waits: one look for all of
 * them. A database that does not exist yet has an empty feed.
 */
export class ChangeFeed {
  readonly #source: FeedSource;
  readonly #pollMs: number;
  readonly #waiters = new Set<Waiter>();
  #isPolling = false;

  constructor(source: FeedSource, pollMs = POLL_MS) {
    this.#source = source;
    this.#pollMs = pollMs;
  }

  /** Sequence number of the newest event; 0 when nothing was written yet. */
  async position(): Promise<number> {
    if (!(await this.#source.isThere())) return 0;
    const database = await this.#source.database();
    return database.read((tx) => lastEventSeq(tx));
  }

  /**
   * Batches of events in order, first those there are, then new ones as they are committed, until
   * the signal aborts. Nothing is read ahead of a slow consumer.
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

  /** A full batch reaches to its last event, any other to the newest there is. */
  async #read(since: number, { kind, filter }: FollowOptions) {
    if (!(await this.#source.isThere())) return { found: [], reached: since };
    const database = await this.#source.database();
    return database.read(async (tx) => {
      const newest = await lastEventSeq(tx);
      if (newest <= since) return { found: [], reached: since };
      const found = await listEvents(tx, {
        sinceSeq: since,
        limit: BATCH,
        kind,
        filter: await filter?.(tx),
      });
      const last = found.length === BATCH ? found.at(-1)?.seq : undefined;
      return { found, reached: last ?? newest };
    });
  }

  /** Resolves to false when the time is over or the signal aborted. */
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

  /** One loop for all waiters; it ends with the last of them. */
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
