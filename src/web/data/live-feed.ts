import { type Signal, signal } from "@preact/signals";
import type { Client } from "./client.ts";
import { failureOf } from "./request-failed.ts";
import { readServerEvents } from "./server-events.ts";
import type { Session } from "./session.ts";

/** What is seen is renewed so often while others write; milliseconds. */
const RENEWAL_PAUSE = 500;
const RETRY_PAUSE = 1_000;
const LONGEST_PAUSE = 8_000;

export class LiveFeed {
  readonly revision: Signal<number> = signal(0);
  readonly #client: Client;
  readonly #session: Session;
  #db: string | undefined;
  #following = new AbortController();
  #lastId: string | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client, session: Session) {
    this.#client = client;
    this.#session = session;
  }

  follow(db: string): void {
    if (db === this.#db) return;
    this.#db = db;
    this.#lastId = undefined;
    this.again();
  }

  again(): void {
    this.#following.abort();
    this.#following = new AbortController();
    void this.#run(this.#following.signal);
  }

  renew(): void {
    this.#renewal ??= setTimeout(() => {
      this.#renewal = undefined;
      this.revision.value += 1;
    }, RENEWAL_PAUSE);
  }

  async #run(signal: AbortSignal): Promise<void> {
    let isMissing = false;
    for (let pause = RETRY_PAUSE; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        const wasLost = this.#session.connection.peek() === "lost";
        const isFirst = this.#lastId === undefined;
        if (wasLost) await this.#client.greet();
        await this.#read(signal, () => {
          pause = RETRY_PAUSE / 2;
          if (wasLost || isMissing || isFirst) this.renew();
        });
      } catch (error) {
        if (signal.aborted) return;
        const { code } = failureOf(error);
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
        this.renew();
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    // A stream that ends is a server that stopped.
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
