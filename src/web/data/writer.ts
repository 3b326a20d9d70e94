import { type Signal, signal } from "@preact/signals";
import type { InputOf, OutputOf } from "../../memory/index.ts";
import type { Answer, Client } from "./client.ts";
import { readServerEvents } from "./long-work.ts";
import { getFailure } from "./request-failed.ts";
import type { RoutedOperation } from "./routes.ts";
import type { Session } from "./session.ts";
import type { Toasts } from "./toasts.ts";

/** Interval between refreshes while others write, milliseconds. */
const RENEWAL_PAUSE = 500;
const RETRY_PAUSE = 1_000;
const LONGEST_PAUSE = 8_000;

export class LiveFeed {
  readonly revision: Signal<number> = signal(0);
  /** Events received since the page was opened. */
  readonly received: Signal<number> = signal(0);
  readonly #client: Client;
  readonly #session: Session;
  #db: string | undefined;
  #following = new AbortController();
  #lastId: string | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #hasWritten = false;
  #ownRevision: number | undefined;

  constructor(client: Client, session: Session) {
    this.#client = client;
    this.#session = session;
  }

  follow(db: string): void {
    if (db === this.#db) return;
    this.#db = db;
    this.#lastId = undefined;
    this.retry();
  }

  retry(): void {
    this.#following.abort();
    this.#following = new AbortController();
    void this.#run(this.#following.signal);
  }

  renew(): void {
    this.#renewal ??= setTimeout(() => {
      this.#renewal = undefined;
      if (this.#hasWritten) this.#ownRevision = this.revision.peek() + 1;
      this.#hasWritten = false;
      this.revision.value += 1;
    }, RENEWAL_PAUSE);
  }

  renewAfterOwnWrite(): void {
    this.#hasWritten = true;
    this.renew();
  }

  /** True if the revision contains a write of this page, which every result must show soon. */
  hasOwnWrite(revision: number): boolean {
    return revision === this.#ownRevision;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let isMissing = false;
    for (let pause = RETRY_PAUSE; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        const wasLost = this.#session.connection.peek() === "lost";
        const isFirst = this.#lastId === undefined;
        if (wasLost) await this.#client.loadServerInfo();
        await this.#read(signal, () => {
          pause = RETRY_PAUSE / 2;
          if (wasLost || isMissing || isFirst) this.renew();
        });
      } catch (error) {
        if (signal.aborted) return;
        const { code } = getFailure(error);
        isMissing = code === "not_found";
        if (isMissing) this.#session.connection.value = "live";
        else if (code !== "offline") return;
      }
      if (signal.aborted) return;
      await wait(pause, signal);
    }
  }

  async #read(signal: AbortSignal, onOpen: () => void): Promise<void> {
    const db = encodeURIComponent(this.#db ?? "");
    const response = await this.#client.send(`/events?db=${db}&since_seq=latest`, {
      headers: {
        accept: "text/event-stream",
        ...(this.#lastId !== undefined && { "last-event-id": this.#lastId }),
      },
      signal,
    });
    if (response.body === null) return;
    this.#session.connection.value = "live";
    onOpen();
    try {
      for await (const { id } of readServerEvents(response.body)) {
        this.#lastId = id ?? this.#lastId;
        this.received.value += 1;
        this.renew();
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    // The stream only ends when the server stops.
    if (!signal.aborted) this.#session.connection.value = "lost";
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export interface OptimisticChange {
  readonly isRemoved?: boolean;
  readonly processed?: boolean;
  readonly addsLabel?: string;
}

export interface WriteOptions<Output> {
  readonly db: string;
  readonly done: string | ((output: Output) => string);
  readonly ifMatch?: number | undefined;
  readonly optimistic?: ReadonlyMap<string, OptimisticChange>;
}

export class Writer {
  readonly optimistic: Signal<ReadonlyMap<string, OptimisticChange>> = signal(new Map());
  readonly #client: Client;
  readonly #live: LiveFeed;
  readonly #toasts: Toasts;
  /** Changes of this page by database, newest last, for undo (`z`). */
  readonly #done: Done[] = [];
  readonly #undone: Done[] = [];

  constructor(client: Client, live: LiveFeed, toasts: Toasts) {
    this.#client = client;
    this.#live = live;
    this.#toasts = toasts;
  }

  /** Returns undefined if the server rejected the write; its error is then shown. */
  async write<Name extends RoutedOperation>(
    name: Name,
    input: InputOf<Name>,
    options: WriteOptions<OutputOf<Name>>,
  ): Promise<OutputOf<Name> | undefined> {
    try {
      const { output, change } = await this.attempt(name, input, options);
      const { done } = options;
      this.#toasts.tell(typeof done === "string" ? done : done(output), getList(change));
      return output;
    } catch (error) {
      this.#toasts.showError(getFailure(error).message);
      return undefined;
    }
  }

  showDone(text: string, change: string | undefined): void {
    this.#toasts.tell(text, getList(change));
  }

  recordDone(db: string, text: string, changes: readonly string[]): void {
    if (changes.length > 0) this.#done.push({ db, changes });
    this.#undone.length = 0;
    this.#live.renewAfterOwnWrite();
    this.#toasts.tell(text, changes);
  }

  /** Like `write`, but throws RequestFailed instead of showing it. */
  async attempt<Name extends RoutedOperation>(
    name: Name,
    input: InputOf<Name>,
    { db, ifMatch, optimistic = new Map() }: WriteOptions<OutputOf<Name>>,
  ): Promise<Answer<OutputOf<Name>>> {
    this.optimistic.value = new Map([...this.optimistic.peek(), ...optimistic]);
    try {
      const answer = await this.#client.call(name, input, { db, ifMatch });
      if (answer.change !== undefined) this.#done.push({ db, changes: [answer.change] });
      this.#undone.length = 0;
      this.#live.renewAfterOwnWrite();
      setTimeout(() => this.#forget([...optimistic.keys()]), 2_000);
      return answer;
    } catch (error) {
      this.#forget([...optimistic.keys()]);
      throw error;
    }
  }

  async undo(db: string, changes = this.#done.findLast((one) => one.db === db)?.changes) {
    if (changes === undefined) return this.#toasts.tell("Nothing to undo.");
    const undoing: string[] = [];
    try {
      for (const change of changes.toReversed()) {
        const { change: created } = await this.#client.call("undo", { change }, { db });
        if (created !== undefined) undoing.push(created);
      }
      const key = changes.join();
      const at = this.#done.findLastIndex((one) => one.db === db && one.changes.join() === key);
      if (at >= 0) this.#done.splice(at, 1);
      this.optimistic.value = new Map();
      this.#toasts.tell(describeUndo(changes));
    } catch (error) {
      this.#toasts.showError(getFailure(error).message);
    } finally {
      if (undoing.length > 0) this.#undone.push({ db, changes: undoing });
      this.#live.renewAfterOwnWrite();
    }
  }

  async redo(db: string): Promise<void> {
    const last = this.#undone.findLast((one) => one.db === db);
    if (last === undefined) return this.#toasts.tell("Nothing to redo.");
    this.#undone.splice(this.#undone.indexOf(last), 1);
    for (const change of last.changes.toReversed())
      await this.write("redo", { change }, { db, done: "Redone." });
  }

  #forget(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const left = new Map(this.optimistic.peek());
    for (const id of ids) left.delete(id);
    this.optimistic.value = left;
  }
}

interface Done {
  readonly db: string;
  readonly changes: readonly string[];
}

function getList(change: string | undefined): string[] {
  return change === undefined ? [] : [change];
}

function describeUndo(changes: readonly string[]): string {
  return changes.length === 1
    ? `Undid ${changes[0]}.`
    : `Undid ${changes.length.toLocaleString("en")} changes.`;
}
