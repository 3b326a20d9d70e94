import { AskedProcess } from "../../../shared/asked-process.ts";
import { yieldToEventLoop } from "../../../shared/async.ts";
import type { Logger } from "../../../shared/logger.ts";
import { ProcessEnded } from "../../../shared/own-process.ts";
import type { ProcessQuestion, RecallAnswer, RecallQuestion } from "./recall-question.ts";

export interface RecallProcessesOptions {
  /** How many processes there may be at a time. */
  readonly most: number;
  readonly logger: Logger;
  /** After this long in which no recall waited the processes end. Default: half a minute. */
  readonly idleMs?: number;
  /** A process that has not answered by then is ended, and this one answers. Default: ten seconds. */
  readonly hangingMs?: number;
}

/** What `/metrics` tells of them. */
export interface RecallProcessesState {
  /** How many answer recalls now. */
  readonly ready: number;
  /** Recalls that they have answered. */
  readonly answered: number;
  /** Recalls that were given to one of them and answered by this process after all. */
  readonly takenBack: number;
}

const PROGRAM = new URL("./recall.child.ts", import.meta.url);
/** So many recalls that found another one at work, within `BUSY_MS`, have a process started. */
const WORTH_STARTING = 20;
const BUSY_MS = 10_000;
/** A process gets further recalls while it still works on one, so that it never idles. */
const AHEAD = 3;
const IDLE_MS = 30_000;
const HANGING_MS = 10_000;
/** After one has ended by itself, no other is started for this long. */
const PAUSE_MS = 5_000;

interface Worker {
  readonly process: AskedProcess<ProcessQuestion, RecallAnswer>;
  isReady: boolean;
}

/**
 * Processes that read files of databases and answer recalls while others wait. The first starts when recalls
 * have waited for each other for a moment, and all end when there are none. They are only ever asked to read:
 * whatever keeps one of them from answering, the recall is done here.
 */
export class RecallProcesses {
  readonly #options: RecallProcessesOptions;
  readonly #workers: Worker[] = [];
  readonly #ending = new Set<Promise<void>>();
  /** Recalls under way, here and in processes. */
  #underWay = 0;
  /** Times at which recalls found others at work, milliseconds. */
  #waits: number[] = [];
  #notBefore = 0;
  #isClosed = false;
  #idle: NodeJS.Timeout | undefined;
  #answered = 0;
  #takenBack = 0;

  constructor(options: RecallProcessesOptions) {
    this.#options = options;
  }

  get state(): RecallProcessesState {
    const ready = this.#workers.filter(({ isReady }) => isReady).length;
    return { ready, answered: this.#answered, takenBack: this.#takenBack };
  }

  /** Of those that are ready. */
  get pids(): readonly number[] {
    return this.#workers.flatMap(({ process, isReady }) => (isReady ? (process.pid ?? []) : []));
  }

  /**
   * The answer of a process, if recalls wait for each other and one of them has time; undefined: it is to be
   * done here. Rejects with the signal's reason only.
   */
  async ask(
    question: () => RecallQuestion,
    signal: AbortSignal | undefined,
  ): Promise<RecallAnswer | undefined> {
    if (!(await this.#isBusy())) return undefined;
    signal?.throwIfAborted();
    this.#startIfWorth();
    if (this.#workers.length > 0) this.#restLater();
    const worker = this.#free();
    if (worker === undefined) return undefined;
    try {
      const answer = await this.#askOne(worker, question(), signal);
      this.#answered += 1;
      return answer;
    } catch {
      signal?.throwIfAborted();
      this.#takenBack += 1;
      return undefined;
    }
  }

  /** Counts a recall as under way until it has ended. */
  async counted<T>(body: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await body();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Has every process close this file. */
  async forget(path: string): Promise<void> {
    await Promise.all(
      this.#workers.map(({ process }) => process.ask({ kind: "forget", path }).catch(unlessEnded)),
    );
  }

  /** Ends all of them; what they have not answered is done here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endAll();
    await Promise.all(this.#ending);
  }

  /** Whoever came in the same turn of the event loop, or waits for it, has begun after the next one. */
  async #isBusy(): Promise<boolean> {
    if (this.#underWay <= 1) await yieldToEventLoop();
    return this.#underWay > 1;
  }

  #free(): Worker | undefined {
    const [first] = this.#workers
      .filter(({ isReady, process }) => isReady && process.load < AHEAD)
      .sort((a, b) => a.process.load - b.process.load);
    return first;
  }

  async #askOne(
    { process }: Worker,
    question: RecallQuestion,
    signal: AbortSignal | undefined,
  ): Promise<RecallAnswer> {
    const timer = setTimeout(() => process.kill(), this.#options.hangingMs ?? HANGING_MS);
    try {
      return await process.ask(question, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #startIfWorth(): void {
    const now = performance.now();
    if (this.#workers.length >= this.#options.most || this.#isClosed || now < this.#notBefore)
      return;
    this.#waits = [...this.#waits, now].slice(-WORTH_STARTING);
    const isWorth = this.#waits.length === WORTH_STARTING && now - (this.#waits[0] ?? 0) < BUSY_MS;
    if (!isWorth || this.#workers.some(({ isReady }) => !isReady)) return;
    this.#waits = [];
    const worker: Worker = {
      process: new AskedProcess(PROGRAM, {
        onEnd: (reason) => {
          this.#workers.splice(this.#workers.indexOf(worker), 1);
          this.#notBefore = performance.now() + PAUSE_MS;
          this.#options.logger.warn(
            `A process that answered recalls has failed, and this one does it meanwhile: ${reason}`,
          );
        },
      }),
      isReady: false,
    };
    this.#workers.push(worker);
    worker.process.ask({ kind: "greet" }).then(() => {
      worker.isReady = true;
    }, unlessEnded);
  }

  #restLater(): void {
    if (this.#idle !== undefined) {
      this.#idle.refresh();
      return;
    }
    this.#idle = setTimeout(() => this.#endAll(), this.#options.idleMs ?? IDLE_MS);
    this.#idle.unref();
  }

  #endAll(): void {
    clearTimeout(this.#idle);
    this.#idle = undefined;
    for (const { process } of this.#workers.splice(0)) {
      const ending = process.end().finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    }
  }
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof ProcessEnded)) throw error;
}
