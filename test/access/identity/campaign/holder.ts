import { letTimePass } from "../../../support/let-time-pass.ts";
import { askOnce, isOpen } from "./ask-until.ts";
import type { Cluster } from "./cluster.ts";

const THINKS_MS = 40;
/** One who is refused asks again so often, to see whether it stays so. */
const REFUSED_MS = 150;

/** Somebody with a token who writes all the time, and follows the feed of one of the servers. */
export class Holder {
  readonly name: string;
  readonly token: string;
  readonly acknowledged: string[] = [];
  /** When the last write that was let in was sent; `performance.now()`. */
  lastLetInAt = Number.NEGATIVE_INFINITY;
  /** When the feed last told something. */
  lastHeardAt = Number.NEGATIVE_INFINITY;
  /** Refused although nothing was taken away. */
  wronglyRefused = 0;
  /** Answers that nobody should get. */
  readonly oddities: string[] = [];
  /** When the taking away was acknowledged. */
  endedAt: number | undefined;
  /** It may already have happened, though nobody said so yet. */
  isEnding = false;
  readonly #cluster: Cluster;
  readonly #database: string;
  #isStopped = false;
  readonly #loops: Promise<void>[] = [];
  #stream: AbortController | undefined;

  constructor(cluster: Cluster, database: string, name: string, token: string) {
    this.#cluster = cluster;
    this.#database = database;
    this.name = name;
    this.token = token;
    this.#loops.push(this.#write(), this.#follow());
  }

  /** What is being written is still acknowledged, or refused. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stream?.abort();
    await Promise.all(this.#loops);
  }

  async #write(): Promise<void> {
    for (let n = 0; !this.#isStopped; n += 1) {
      const content = `${this.name} writes ${n}`;
      const isStored = await this.#store(content, n);
      if (isStored) this.acknowledged.push(content);
      await letTimePass(isStored ? THINKS_MS : REFUSED_MS, "the pace of asking again");
    }
  }

  /** With the same key to one server after the other; false: refused. */
  async #store(content: string, n: number): Promise<boolean> {
    const asked = {
      method: "POST",
      path: `/api/v1/episodes?db=${this.#database}`,
      token: this.token,
      body: { content, idempotency_key: content, entities: `module:part${n % 7}` },
    };
    for (let turn = n; ; turn += 1) {
      const servers = this.#cluster.addresses();
      const wasEnding = this.isEnding;
      const told = await askOnce(servers[turn % servers.length] ?? "", asked);
      if (isOpen(told)) {
        await letTimePass(THINKS_MS, "the pace of asking again");
        continue;
      }
      const { status, text, sentAt } = told;
      if (status === 200) {
        this.lastLetInAt = Math.max(this.lastLetInAt, sentAt);
        return true;
      }
      if (status !== 401 && status !== 403) this.oddities.push(`${status}: ${text}`);
      // Before the first write the role may not be known everywhere.
      else if (!wasEnding && !this.isEnding && this.acknowledged.length > 0) {
        this.wronglyRefused += 1;
        this.oddities.push(`${status}: ${text}`);
      }
      return false;
    }
  }

  async #follow(): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const servers = this.#cluster.addresses();
      this.#stream = new AbortController();
      try {
        const url = `${servers[turn % servers.length]}/api/v1/events?db=${this.#database}&since_seq=0`;
        const answer = await fetch(url, {
          headers: { authorization: `Bearer ${this.token}`, accept: "text/event-stream" },
          signal: this.#stream.signal,
        });
        if (answer.ok && answer.body !== null) {
          for await (const chunk of answer.body) {
            if (chunk.length > 0) this.lastHeardAt = performance.now();
          }
        } else {
          await answer.body?.cancel();
        }
      } catch {
        // The server was killed, or its network cut: another one goes on.
      }
      await letTimePass(REFUSED_MS, "the pace of asking again");
    }
  }
}
