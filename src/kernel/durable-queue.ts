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
import { lock } from "proper-lockfile";
import writeFileAtomic from "write-file-atomic";
import { isPlainObject } from "./json.ts";
import { makeFolder } from "./make-folder.ts";
import { parseJson } from "./parse-json.ts";

/** Work that a process promised and that any later one may do. */
export interface QueuedJob {
  /** The same as long as the job is there: what it does once, it does under this name. */
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
}

export interface DrainOptions {
  /** What does a job, by its kind. Jobs of other kinds are left to whoever knows them. */
  readonly perform: Readonly<Record<string, (job: QueuedJob) => Promise<void>>>;
  /** Whether a job that was rejected so is left for later, with all that follow it. */
  readonly waits: (error: unknown) => boolean;
  /** Told of a job that cannot be done; it is put aside as `<id>.failed` and not tried again. */
  readonly onFailed: (job: QueuedJob, error: unknown) => void;
}

/** After so long without a sign of life, whoever drains is taken for dead; milliseconds. */
const DEAD_AFTER_MS = 10_000;
const ENDING = ".json";

/**
 * A queue of small jobs in a folder, one file each, which outlives every process. A job is written to
 * the disk before `add` returns, and taken away after it was done. One process at a time does jobs,
 * in order. One that ends in between leaves its job, which is then done again: what must happen once
 * has to be done under the job's id, as with an idempotency key.
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

  /** The same for work that is done once however often it was asked for: none where it waits already. */
  addOnce(kind: string, payload: unknown): void {
    const text = JSON.stringify(payload);
    const waiting = this.#names().map((name) => this.#read(name));
    if (waiting.some((job) => job?.kind === kind && JSON.stringify(job.payload) === text)) return;
    this.add(kind, payload);
  }

  /** How many jobs wait. */
  get length(): number {
    return this.#names().length;
  }

  /** Does the jobs that wait; resolves to how many were done. None while another process does them. */
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

  /** Later than that of every job that waits, whatever the clock says. */
  #nextMoment(): string {
    const newest = /^\d{15}/.exec(this.#names().at(-1) ?? "")?.[0] ?? "0";
    return String(Math.max(Date.now(), Number(newest) + 1)).padStart(15, "0");
  }

  #store(job: QueuedJob): void {
    const file = join(this.#folder, `${job.id}${ENDING}`);
    writeFileAtomic.sync(file, JSON.stringify(job), { mode: 0o600 });
  }

  /** In the order in which they came. */
  #names(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(ENDING))
      .sort();
  }

  /** Undefined: it is no job of this queue. */
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
      // Who was taken for dead and goes on does what is done already, under the same ids.
      return await lock(file, { stale: DEAD_AFTER_MS, retries: 0, onCompromised: () => {} });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ELOCKED") return undefined;
      throw error;
    }
  }
}
