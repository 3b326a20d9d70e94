import { type Signal, signal } from "@preact/signals";
import type { InputOf, OutputOf } from "../../../memory/index.ts";
import type { Client } from "../../data/client.ts";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";

export type Change = OutputOf<"changes">["changes"][number];

const PAGE = 40;
/** Rows in the document; what is older is a page of its own, so that a long feed costs nothing. */
const MOST_ROWS = 60;

/** The newest changes, and those that wait while somebody reads. */
export class ChangeList {
  readonly rows: Signal<readonly Change[] | undefined> = signal(undefined);
  readonly waiting: Signal<readonly Change[]> = signal([]);
  readonly failure: Signal<RequestFailed | undefined> = signal(undefined);
  /** Where the page of older ones begins. */
  readonly next: Signal<string | null> = signal(null);
  readonly #client: Client;
  readonly #db: string;
  readonly #filter: InputOf<"changes">;
  readonly #ending = new AbortController();
  #isRenewing = false;

  constructor(client: Client, place: { readonly db: string; readonly filter: InputOf<"changes"> }) {
    this.#client = client;
    this.#db = place.db;
    this.#filter = place.filter;
  }

  async load(): Promise<void> {
    this.failure.value = undefined;
    try {
      const { changes, next_before: next } = await this.#ask({});
      this.rows.value = changes;
      this.next.value = next;
    } catch (error) {
      if (!this.#ending.signal.aborted) this.failure.value = failureOf(error);
    }
  }

  /** Takes in what came since; what is shown changes too, where it was undone meanwhile. */
  async renew(isPaused: boolean): Promise<void> {
    if (this.rows.peek() === undefined || this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      const { changes, next_before: next } = await this.#ask({});
      const shown = this.rows.peek() ?? [];
      const fresh = new Map(changes.map((change) => [change.id, change]));
      const known = new Set(shown.map(({ id }) => id));
      if (isPaused) {
        this.rows.value = shown.map((change) => fresh.get(change.id) ?? change);
        this.waiting.value = changes.filter(({ id }) => !known.has(id));
        return;
      }
      const older = shown.filter(({ id }) => !fresh.has(id));
      const isGapless = changes.some(({ id }) => known.has(id));
      const all = isGapless ? [...changes, ...older] : changes;
      this.rows.value = all.slice(0, MOST_ROWS);
      this.waiting.value = [];
      const last = this.rows.peek()?.at(-1)?.id ?? null;
      this.next.value = all.length > MOST_ROWS ? last : isGapless ? this.next.peek() : next;
    } catch (error) {
      // The next renewal tries again; what is shown stays.
      if (failureOf(error).code === "internal") this.failure.value = failureOf(error);
    } finally {
      this.#isRenewing = false;
    }
  }

  showWaiting(): void {
    this.rows.value = [...this.waiting.peek(), ...(this.rows.peek() ?? [])].slice(0, MOST_ROWS);
    this.waiting.value = [];
  }

  end(): void {
    this.#ending.abort();
  }

  async #ask(page: InputOf<"changes">): Promise<OutputOf<"changes">> {
    const input = { limit: PAGE, texts: true, ...this.#filter, ...page };
    const options = { db: this.#db, signal: this.#ending.signal };
    return (await this.#client.call("changes", input, options)).output;
  }
}
