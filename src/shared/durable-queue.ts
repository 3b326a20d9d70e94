import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { makeFolder } from "./files.ts";
import { isPlainObject, parseJson } from "./json.ts";

/** A job that any later process may run. */
export interface QueuedJob {
  /** Stays the same across retries; serves as the idempotency key. */
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
}

export interface DrainOptions {
  /** Handlers by job kind. Other jobs stay queued for a process that knows them. */
  readonly perform: Readonly<Record<string, (job: QueuedJob) => Promise<void>>>;
  /** True for errors after which the job and all later ones stay queued. */
  readonly waits: (error: unknown) => boolean;
  /** Called with a failed job, which is renamed to `<id>.failed` and not retried. */
  readonly onFailed: (job: QueuedJob, error: unknown) => void;
}

/** A draining process without a heartbeat for this long is considered dead. */
const CLAIM_EXPIRY_MS = 10_000;
const JOB_EXTENSION = ".json";

/**
 * A durable queue of small jobs, one file each. `add` returns once the job is on disk. One process
 * at a time runs jobs, in order. If it dies during a job, the job runs again, with its id as
 * idempotency key.
 */
export class DurableQueue {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(kind: string, payload: unknown): QueuedJob {
    makeFolder(this.#folder);
    const job = { id: `${this.#nextMoment()}-${randomUUID()}`, kind, payload };
    this.#store(job);
    return job;
  }

  addOnce(kind: string, payload: unknown): void {
    const text = JSON.stringify(payload);
    const waiting = this.#names().map((name) => this.#read(name));
    if (waiting.some((job) => job?.kind === kind && JSON.stringify(job.payload) === text)) return;
    this.add(kind, payload);
  }

  get length(): number {
    return this.#names().length;
  }

  /** Runs queued jobs; returns their number, or 0 while another process drains the queue. */
  async drain({ perform, waits, onFailed }: DrainOptions): Promise<number> {
    if (this.length === 0) return 0;
    const release = await this.#takeTurn();
    if (release === undefined) return 0;
    let done = 0;
    try {
      for (const name of this.#names()) {
        const job = this.#read(name);
        const work = job === undefined ? undefined : perform[job.kind];
        if (job === undefined || work === undefined) continue;
        try {
          await work(job);
        } catch (error) {
          if (waits(error)) return done;
          renameSync(join(this.#folder, name), join(this.#folder, `${job.id}.failed`));
          onFailed(job, error);
          continue;
        }
        rmSync(join(this.#folder, name), { force: true });
        done += 1;
      }
      return done;
    } finally {
      await release();
    }
  }

  /** Returns a timestamp after that of every queued job, even if the clock was set back. */
  #nextMoment(): string {
    const newest = /^\d{15}/.exec(this.#names().at(-1) ?? "")?.[0] ?? "0";
    return String(Math.max(Date.now(), Number(newest) + 1)).padStart(15, "0");
  }

  #store(job: QueuedJob): void {
    const file = join(this.#folder, `${job.id}${JOB_EXTENSION}`);
    writeFileAtomic.sync(file, JSON.stringify(job), { mode: 0o600 });
  }

  #names(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(JOB_EXTENSION))
      .sort();
  }

  #read(name: string): QueuedJob | undefined {
    const value = parseJson(readFileSync(join(this.#folder, name), "utf8"));
    if (!isPlainObject(value)) return undefined;
    const { id, kind, payload } = value;
    if (typeof id !== "string" || typeof kind !== "string") return undefined;
    return { id, kind, payload };
  }

  async #takeTurn(): Promise<(() => Promise<void>) | undefined> {
    const file = join(this.#folder, "turn");
    closeSync(openSync(file, "a", 0o600));
    try {
      const { lock } = await import("proper-lockfile");
      return await lock(file, { stale: CLAIM_EXPIRY_MS, retries: 0, onCompromised: () => {} });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ELOCKED") return undefined;
      throw error;
    }
  }
}
