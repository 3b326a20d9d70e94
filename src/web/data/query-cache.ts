import { type Signal, signal } from "@preact/signals";
import type { InputOf, OperationName, OutputOf } from "../../memory/index.ts";
import type { Client } from "./client.ts";
import { failureOf, type RequestFailed } from "./request-failed.ts";

const MOST_KEPT = 150;

/** What is known of one question to the server. */
export interface Found<Output> {
  readonly output: Output | undefined;
  readonly version: number | undefined;
  readonly failure: RequestFailed | undefined;
  /** An answer is under way. */
  readonly isLoading: boolean;
}

interface Entry {
  readonly state: Signal<Found<unknown>>;
  /** Of the feed when it was asked last; undefined: never. */
  revision: number | undefined;
  askedAt: number;
  asking: AbortController | undefined;
}

export interface Question<Name extends OperationName> {
  readonly db: string;
  readonly name: Name;
  readonly input: InputOf<Name>;
}

/**
 * Answers by question. A known one shows at once while it is asked again; the server's tags make
 * that cheap where nothing has changed.
 */
export class QueryCache {
  readonly #client: Client;
  readonly #entries = new Map<string, Entry>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The answer as it is now, and as it becomes. */
  watch<Name extends OperationName>(question: Question<Name>): Signal<Found<OutputOf<Name>>> {
    return this.#entry(keyOf(question)).state as Signal<Found<OutputOf<Name>>>;
  }

  /** Asks unless the answer is of this revision of the database, or younger than `pause` ms. */
  async refresh<Name extends OperationName>(
    question: Question<Name>,
    { revision, pause = 0 }: { readonly revision: number; readonly pause?: number },
  ): Promise<void> {
    const entry = this.#entry(keyOf(question));
    if (entry.revision === revision || entry.asking !== undefined) return;
    if (entry.revision !== undefined && Date.now() - entry.askedAt < pause) return;
    entry.revision = revision;
    entry.askedAt = Date.now();
    const asking = new AbortController();
    entry.asking = asking;
    entry.state.value = { ...entry.state.peek(), isLoading: true };
    try {
      const { name, input, db } = question;
      const answer = await this.#client.call(name, input, { db, signal: asking.signal });
      const { output, version } = answer;
      entry.state.value = { output, version, failure: undefined, isLoading: false };
    } catch (error) {
      entry.revision = undefined;
      if (asking.signal.aborted) return;
      entry.state.value = {
        ...entry.state.peek(),
        failure: failureOf(error),
        isLoading: false,
      };
    } finally {
      entry.asking = undefined;
    }
  }

  /** Nobody waits for the answer any more. */
  drop<Name extends OperationName>(question: Question<Name>): void {
    this.#entries.get(keyOf(question))?.asking?.abort();
  }

  #entry(key: string): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const nothing = { output: undefined, version: undefined, failure: undefined, isLoading: true };
    const entry: Entry = {
      state: signal<Found<unknown>>(nothing),
      revision: undefined,
      askedAt: 0,
      asking: undefined,
    };
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MOST_KEPT && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}

function keyOf({ db, name, input }: Question<OperationName>): string {
  return JSON.stringify([db, name, input]);
}
