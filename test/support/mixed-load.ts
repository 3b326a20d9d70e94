import { waitFixedTime } from "./wait-fixed-time.ts";

export interface LoadOptions {
  /** URLs of the current servers; clients use any of them. */
  readonly servers: () => readonly string[];
  readonly writers?: number;
  readonly readers?: number;
  readonly name?: string;
  /** Milliseconds until a client tries another server. */
  readonly timeoutMs?: number;
  readonly database?: string;
}

export interface LoadReport {
  readonly acknowledged: readonly string[];
  /** Contents sent but not acknowledged when the load was aborted. */
  readonly open: readonly string[];
  readonly reads: number;
  readonly repeated: number;
  /** Unexpected responses: neither success nor `busy`. */
  readonly refusals: readonly string[];
}

interface Write {
  readonly path: string;
  readonly body: object;
  readonly contents: readonly string[];
}

const GROUP = 5;
const ASK_AGAIN_MS = 30;

/**
 * Concurrent readers and writers on several servers of one database. Each write has an idempotency
 * key and is retried on another server after a broken connection or `busy`.
 */
export class MixedLoad {
  readonly #options: LoadOptions;
  readonly #clients: Promise<void>[] = [];
  readonly #acknowledged: string[] = [];
  readonly #open = new Set<string>();
  readonly #refusals: string[] = [];
  readonly #givenUp = new AbortController();
  readonly #underWay = new Set<AbortController>();
  #reads = 0;
  #repeated = 0;
  #asked = 0;
  #isEnding = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { writers = 6, readers = 2 } = options;
    for (let n = 0; n < writers; n += 1) this.#clients.push(this.#write(n));
    for (let n = 0; n < readers; n += 1) this.#clients.push(this.#read(n));
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** Stops the load. Waits for open writes, at most `withinMs`. */
  async end(withinMs = Number.POSITIVE_INFINITY): Promise<LoadReport> {
    this.#isEnding = true;
    const timer =
      withinMs === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => {
            this.#givenUp.abort();
            for (const limit of this.#underWay) limit.abort();
          }, withinMs);
    await Promise.all(this.#clients);
    clearTimeout(timer);
    return {
      acknowledged: this.#acknowledged,
      open: [...this.#open],
      reads: this.#reads,
      repeated: this.#repeated,
      refusals: this.#refusals,
    };
  }

  async #write(writer: number): Promise<void> {
    for (let n = 0; !this.#isEnding; n += 1) {
      const { path, body, contents } = nextWrite(
        `${this.#options.name ?? "load"} w${writer} n${n}`,
        n,
      );
      for (const content of contents) this.#open.add(content);
      const isStored = await this.#untilAnswered(path, body);
      if (this.#givenUp.signal.aborted) return;
      for (const content of contents) this.#open.delete(content);
      if (isStored) this.#acknowledged.push(...contents);
    }
  }

  /** Starts after the first write, so that there is something to read. */
  async #read(reader: number): Promise<void> {
    while (this.#acknowledged.length === 0 && !this.#isEnding) {
      await waitFixedTime(ASK_AGAIN_MS, "retry interval");
    }
    for (let n = reader; !this.#isEnding; n += 1) {
      const isSnapshot = n % 3 === 0;
      const isRead = isSnapshot
        ? await this.#untilAnswered("snapshot", { scopes: ["stats", "recent:5"] })
        : await this.#untilAnswered("query", { query: `what is known of part ${n % 7}?` });
      if (isRead) this.#reads += 1;
    }
  }

  /** Retries until the request succeeds (true) or is rejected (false). */
  async #untilAnswered(path: string, body: object): Promise<boolean> {
    while (!this.#givenUp.signal.aborted) {
      const answer = await this.#ask(path, body);
      if (answer === "success") return true;
      if (answer === "refused") return false;
      this.#repeated += 1;
      await waitFixedTime(ASK_AGAIN_MS, "retry interval");
    }
    return false;
  }

  async #ask(path: string, body: object): Promise<"success" | "refused" | "lost"> {
    const servers = this.#options.servers();
    this.#asked += 1;
    const server = servers[this.#asked % servers.length];
    if (server === undefined) return "lost";
    const { timeoutMs = 20_000, database } = this.#options;
    const query = database === undefined ? "" : `?db=${database}`;
    // `AbortSignal.any` is not used: the garbage collector may drop its timeout signal.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    this.#underWay.add(limit);
    try {
      const response = await fetch(`${server}/api/v1/${path}${query}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: limit.signal,
      });
      // An incomplete response throws and counts as lost.
      const text = await response.text();
      if (response.ok) return "success";
      if (response.status === 503) return "lost";
      this.#refusals.push(`${path} ${response.status}: ${text}`);
      return "refused";
    } catch {
      return "lost";
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(limit);
    }
  }
}

function nextWrite(name: string, n: number): Write {
  if (n % 4 === 3) {
    const contents = Array.from({ length: GROUP }, (_, part) => `${name} group ${part}`);
    const changeset = contents.map((content) => `remember e=module:part${n % 7} "${content}"`);
    return {
      path: "apply",
      body: { changeset: changeset.join("\n"), idempotency_key: name },
      contents,
    };
  }
  const isFact = n % 4 === 2;
  return {
    path: "episodes",
    body: {
      content: name,
      idempotency_key: name,
      entities: `module:part${n % 7}`,
      episode_type: isFact ? "fact" : "observation",
    },
    contents: [name],
  };
}
