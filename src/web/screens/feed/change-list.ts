import { type Signal, signal } from "@preact/signals";
import type { InputOf, OutputOf } from "../../../memory/index.ts";
import type { Client } from "../../data/client.ts";
import { Renewal } from "../../data/query-cache.ts";
import { getFailure, type RequestFailed } from "../../data/request-failed.ts";

export type Change = OutputOf<"changes">["changes"][number];

const PAGE = 40;
const MAX_ROWS = 60;

/**
 * The newest changes. New ones wait in `waiting` while the user reads. The list has no gaps: if
 * more
 * was written than one page, the older rest is loaded as a page of its own.
 */
export class ChangeList {
  readonly rows: Signal<readonly Change[] | undefined> = signal(undefined);
  readonly waiting: Signal<readonly Change[]> = signal([]);
  readonly failure: Signal<RequestFailed | undefined> = signal(undefined);
  readonly next: Signal<string | null> = signal(null);
  readonly #client: Client;
  readonly #db: string;
  readonly #filter: InputOf<"changes">;
  readonly #ending = new AbortController();
  readonly #renewal = new Renewal();
  #isPaused = false;
  #olderCursor: string | null | undefined = undefined;

  constructor(
    client: Client,
    location: { readonly db: string; readonly filter: InputOf<"changes"> },
  ) {
    this.#client = client;
    this.#db = location.db;
    this.#filter = location.filter;
  }

  async load(): Promise<void> {
    this.failure.value = undefined;
    try {
      const { changes, next_before: next } = await this.#ask({});
      this.rows.value = changes;
      this.next.value = next;
    } catch (error) {
      if (!this.#ending.signal.aborted) this.failure.value = getFailure(error);
    }
  }

  renew(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#renewal.ask(() => this.#renew());
  }

  showWaiting(): void {
    const waiting = this.waiting.peek();
    const shown = this.rows.peek() ?? [];
    this.waiting.value = [];
    if (this.#olderCursor === undefined) {
      this.#show([...waiting, ...shown]);
    } else {
      this.rows.value = waiting;
      this.next.value = this.#olderCursor;
    }
  }

  /** True if more changes wait than `waiting` contains. */
  get hasMoreWaiting(): boolean {
    return this.#olderCursor !== undefined;
  }

  async #renew(): Promise<void> {
    const shown = this.rows.peek();
    if (shown === undefined) return;
    try {
      const { changes, next_before: next } = await this.#ask({});
      const fresh = new Map(changes.map((change) => [change.id, change]));
      const known = new Set(shown.map(({ id }) => id));
      const isGapless = shown.length === 0 || changes.some(({ id }) => known.has(id));
      this.#olderCursor = isGapless ? undefined : next;
      if (this.#isPaused) {
        this.rows.value = shown.map((change) => fresh.get(change.id) ?? change);
        this.waiting.value = changes.filter(({ id }) => !known.has(id));
        return;
      }
      this.waiting.value = [];
      if (isGapless) return this.#show([...changes, ...shown.filter(({ id }) => !fresh.has(id))]);
      this.rows.value = changes;
      this.next.value = next;
    } catch (error) {
      // The next refresh retries; the current rows stay.
      if (getFailure(error).code === "internal") this.failure.value = getFailure(error);
    }
  }

  #show(all: readonly Change[]): void {
    this.rows.value = all.slice(0, MAX_ROWS);
    if (all.length > MAX_ROWS) this.next.value = all[MAX_ROWS - 1]?.id ?? null;
  }

  end(): void {
    this.#renewal.end();
    this.#ending.abort();
  }

  async #ask(page: InputOf<"changes">): Promise<OutputOf<"changes">> {
    const input = { limit: PAGE, texts: true, ...this.#filter, ...page };
    const options = { db: this.#db, signal: this.#ending.signal };
    return (await this.#client.call("changes", input, options)).output;
  }
}
