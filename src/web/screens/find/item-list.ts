import { type Signal, signal } from "@preact/signals";
import type { OutputOf } from "../../../memory/index.ts";
import type { Client } from "../../data/client.ts";
import { Renewal } from "../../data/query-cache.ts";
import { getFailure, type RequestFailed } from "../../data/request-failed.ts";
import type { ItemsInput } from "./find-filter.ts";

export type Item = OutputOf<"items">["items"][number];

const PAGE = 100;
const LARGEST_PAGE = 500;

/** A list that loads in pages and does not jump while others write. */
export class ItemList {
  readonly rows: Signal<readonly Item[] | undefined> = signal(undefined);
  /** New items, which appear once the user shows them. */
  readonly news: Signal<readonly Item[]> = signal([]);
  readonly failure: Signal<RequestFailed | undefined> = signal(undefined);
  readonly isLoading: Signal<boolean> = signal(false);
  readonly #client: Client;
  readonly #db: string;
  readonly #filter: ItemsInput;
  readonly #ending = new AbortController();
  readonly #renewal = new Renewal();
  #next: string | null = null;
  #isAtTop = true;

  constructor(client: Client, location: { readonly db: string; readonly filter: ItemsInput }) {
    this.#client = client;
    this.#db = location.db;
    this.#filter = location.filter;
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  async load(): Promise<void> {
    await this.#guarded(async () => {
      const { items, next_cursor: next } = await this.#ask({ limit: PAGE });
      this.#next = next;
      this.rows.value = items;
    });
  }

  async more(): Promise<void> {
    const cursor = this.#next;
    if (cursor === null || this.isLoading.peek()) return;
    await this.#guarded(async () => {
      const { items, next_cursor: next } = await this.#ask({ limit: PAGE, cursor });
      this.#next = next;
      this.rows.value = [...(this.rows.peek() ?? []), ...items];
    });
  }

  renew(isAtTop: boolean): void {
    this.#isAtTop = isAtTop;
    this.#renewal.ask(() => this.#renew());
  }

  async #renew(): Promise<void> {
    const rows = this.rows.peek();
    if (rows === undefined) return;
    try {
      const limit = Math.min(LARGEST_PAGE, Math.max(PAGE, rows.length));
      const { items, next_cursor: next } = await this.#ask({ limit });
      if (items.length >= rows.length) this.#next = next;
      const known = new Set(rows.map(({ id }) => id));
      const fresh = new Map(items.map((item) => [item.id, item]));
      const isCovered =
        next === null ? rows.length : items.filter(({ id }) => known.has(id)).length;
      const retained = rows.flatMap((row, index) => {
        const now = fresh.get(row.id);
        if (now !== undefined) return [now];
        return index < isCovered ? [] : [row];
      });
      if (this.#isAtTop) {
        const later = rows.slice(items.length).filter(({ id }) => !fresh.has(id));
        this.rows.value = next === null ? items : [...items, ...later];
        this.news.value = [];
        if (later.length === 0) this.#next = next;
        return;
      }
      this.rows.value = retained;
      const newest = retained[0];
      const at = newest === undefined ? -1 : items.findIndex(({ id }) => id === newest.id);
      this.news.value = at <= 0 ? [] : items.slice(0, at);
    } catch (error) {
      // The next refresh retries; the current rows stay.
      if (getFailure(error).code === "internal") this.failure.value = getFailure(error);
    }
  }

  showNews(): void {
    this.rows.value = [...this.news.peek(), ...(this.rows.peek() ?? [])];
    this.news.value = [];
  }

  end(): void {
    this.#renewal.end();
    this.#ending.abort();
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    this.isLoading.value = true;
    this.failure.value = undefined;
    try {
      await work();
    } catch (error) {
      if (!this.#ending.signal.aborted) this.failure.value = getFailure(error);
    } finally {
      this.isLoading.value = false;
    }
  }

  async #ask(page: { limit: number; cursor?: string }): Promise<OutputOf<"items">> {
    const options = { db: this.#db, signal: this.#ending.signal };
    return (await this.#client.call("items", { ...this.#filter, ...page }, options)).output;
  }
}
