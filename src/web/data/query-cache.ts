import { type Signal, signal } from "@preact/signals";
import type { InputOf, OutputOf } from "../../memory/index.ts";
import type { Client } from "./client.ts";
import { getFailure, type RequestFailed } from "./request-failed.ts";
import type { RoutedOperation } from "./routes.ts";

const MAX_STORED = 150;

export interface Found<Output> {
  readonly output: Output | undefined;
  readonly version: number | undefined;
  readonly failure: RequestFailed | undefined;
  /** True while a request is running. */
  readonly isLoading: boolean;
}

interface Entry {
  readonly state: Signal<Found<unknown>>;
  readonly renewal: Renewal;
  /** Feed revision of the last request; undefined before the first one or after a failure. */
  revision: number | undefined;
  asking: AbortController | undefined;
  /** Number of mounted components that use the result. */
  holders: number;
}

export interface Question<Name extends RoutedOperation> {
  readonly db: string;
  readonly name: Name;
  readonly input: InputOf<Name>;
}

/**
 * Caches results by query. A cached result is shown immediately and revalidated; ETags make that
 * cheap if nothing has changed.
 */
export class QueryCache {
  readonly #client: Client;
  readonly #entries = new Map<string, Entry>();

  constructor(client: Client) {
    this.#client = client;
  }

  watch<Name extends RoutedOperation>(question: Question<Name>): Signal<Found<OutputOf<Name>>> {
    return this.#entry(getKey(question)).state as Signal<Found<OutputOf<Name>>>;
  }

  /** Sends the request unless this revision was already requested; at least `pause` ms apart. */
  refresh<Name extends RoutedOperation>(
    question: Question<Name>,
    { revision, pause = 0 }: { readonly revision: number; readonly pause?: number },
  ): void {
    const entry = this.#entry(getKey(question));
    if (entry.revision === revision) return;
    entry.revision = revision;
    entry.renewal.ask(() => this.#ask(entry, question), pause);
  }

  /** Registers a component that uses the result, until the returned function is called. */
  hold<Name extends RoutedOperation>(question: Question<Name>): () => void {
    const entry = this.#entry(getKey(question));
    entry.holders += 1;
    return () => {
      entry.holders -= 1;
      if (entry.holders > 0) return;
      entry.renewal.end();
      entry.asking?.abort();
      entry.revision = undefined;
    };
  }

  async #ask<Name extends RoutedOperation>(entry: Entry, question: Question<Name>): Promise<void> {
    const { name, input, db } = question;
    const asking = new AbortController();
    entry.asking = asking;
    entry.state.value = { ...entry.state.peek(), isLoading: true };
    try {
      const answer = await this.#client.call(name, input, { db, signal: asking.signal });
      const { output, version } = answer;
      entry.state.value = { output, version, failure: undefined, isLoading: false };
    } catch (error) {
      if (asking.signal.aborted) return;
      entry.revision = undefined;
      entry.state.value = { ...entry.state.peek(), failure: getFailure(error), isLoading: false };
    } finally {
      entry.asking = undefined;
    }
  }

  #entry(key: string): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const nothing = { output: undefined, version: undefined, failure: undefined, isLoading: true };
    const entry: Entry = {
      state: signal<Found<unknown>>(nothing),
      renewal: new Renewal(),
      revision: undefined,
      asking: undefined,
      holders: 0,
    };
    this.#entries.set(key, entry);
    if (this.#entries.size > MAX_STORED) this.#dropOldest();
    return entry;
  }

  #dropOldest(): void {
    for (const [key, { holders }] of this.#entries) {
      if (holders === 0) return void this.#entries.delete(key);
    }
  }
}

function getKey({ db, name, input }: Question<RoutedOperation>): string {
  return JSON.stringify([db, name, input]);
}

/**
 * Throttled reload: runs one read at a time, at least `pause` ms apart, and always once more after
 * the last request, so that the final state is never stale.
 */
export class Renewal {
  #startedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #waiting: (() => Promise<void>) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `read` must always settle; of several waiting requests only the last one runs. */
  ask(read: () => Promise<void>, pause = 0): void {
    this.#waiting = read;
    if (this.#isBusy) return;
    clearTimeout(this.#timer);
    const rest = this.#startedAt + pause - Date.now();
    if (rest > 0) this.#timer = setTimeout(() => void this.#run(pause), rest);
    else void this.#run(pause);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }

  async #run(pause: number): Promise<void> {
    const read = this.#waiting;
    if (read === undefined) return;
    this.#waiting = undefined;
    this.#isBusy = true;
    this.#startedAt = Date.now();
    try {
      await read();
    } finally {
      this.#isBusy = false;
      if (this.#waiting !== undefined) this.ask(this.#waiting, pause);
    }
  }
}
