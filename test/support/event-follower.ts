import { waitFixedTime } from "./wait-fixed-time.ts";

export class EventFollower {
  readonly seqs: number[] = [];
  readonly #servers: () => readonly string[];
  readonly #left = new AbortController();
  readonly #reading: Promise<void>;
  /** Number of reconnects; the first connection does not count. */
  reconnects = -1;

  readonly #headers: Readonly<Record<string, string>>;

  constructor(servers: () => readonly string[], headers: Readonly<Record<string, string>> = {}) {
    this.#servers = servers;
    this.#headers = headers;
    this.#reading = this.#follow();
  }

  async leave(): Promise<void> {
    this.#left.abort();
    await this.#reading;
  }

  async #follow(): Promise<void> {
    while (!this.#left.signal.aborted) {
      this.reconnects += 1;
      const servers = this.#servers();
      const server = servers[this.reconnects % servers.length];
      try {
        if (server !== undefined) await this.#read(server);
      } catch {
        // The server or this client disconnected.
      }
      await waitFixedTime(20, "retry interval");
    }
  }

  async #read(server: string): Promise<void> {
    const response = await fetch(`${server}/api/v1/events`, {
      headers: {
        ...this.#headers,
        accept: "text/event-stream",
        "last-event-id": String(this.seqs.at(-1) ?? 0),
      },
      signal: this.#left.signal,
    });
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const frames = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const id = /^id: (\d+)$/m.exec(frame)?.[1];
        if (id !== undefined) this.seqs.push(Number(id));
      }
    }
  }
}
