import type { Clock } from "./clock.ts";
import { CairnError } from "./errors.ts";

/** A point in time by which work should finish. Long work polls it. */
export class Deadline {
  readonly #clock: Clock;
  readonly #at: number;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#at = clock.now().getTime() + milliseconds;
  }

  get isPast(): boolean {
    return this.left === 0;
  }

  /** Remaining milliseconds, at least 0. */
  get left(): number {
    return Math.max(0, this.#at - this.#clock.now().getTime());
  }

  /** Returns a deadline after this fraction of the remaining time. */
  afterShare(fraction: number): Deadline {
    return new Deadline(this.#clock, this.left * fraction);
  }

  extendedBy(milliseconds: number): Deadline {
    return new Deadline(this.#clock, this.#at - this.#clock.now().getTime() + milliseconds);
  }
}

export interface StopOptions {
  /** Aborts when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Combines a call's cancellation and timeout. */
export class Stop {
  readonly signal: AbortSignal | undefined;
  readonly #deadline: Deadline | undefined;
  readonly #ending = new AbortController();
  readonly #input: AbortSignal | undefined;
  readonly #timeoutMs: number | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor({ signal, timeoutMs }: StopOptions, clock: Clock) {
    if (timeoutMs === undefined) {
      this.signal = signal;
      return;
    }
    this.signal = this.#ending.signal;
    this.#timeoutMs = timeoutMs;
    this.#deadline = new Deadline(clock, timeoutMs);
    this.#timer = setTimeout(this.#endLate, Math.min(timeoutMs, MAX_MS));
    if (signal === undefined) return;
    this.#input = signal;
    if (signal.aborted) this.#endWithInput();
    else signal.addEventListener("abort", this.#endWithInput, { once: true });
  }

  /** Also checks the clock, since a blocked event loop delays timers. */
  get isOver(): boolean {
    if (this.#deadline?.isPast === true) this.#endLate();
    return this.signal?.aborted === true;
  }

  /** Remaining milliseconds; undefined without a timeout. */
  get leftMs(): number | undefined {
    return this.#deadline?.left;
  }

  readonly #endLate = (): void => {
    const { signal } = this.#ending;
    if (!signal.aborted) this.#ending.abort(timeoutError(this.#timeoutMs ?? 0));
  };

  readonly #endWithInput = (): void => this.#ending.abort(this.#input?.reason);

  throwIfOver(): void {
    if (this.isOver) this.signal?.throwIfAborted();
  }

  done(): void {
    clearTimeout(this.#timer);
    this.#input?.removeEventListener("abort", this.#endWithInput);
  }

  /**
   * Rejects as soon as the call must end, until `work` calls `begin`. After that, `work` is not
   * interrupted and must check itself.
   */
  untilBegun<T>(work: (begin: () => void) => Promise<T>): Promise<T> {
    const { signal } = this;
    if (signal === undefined) return work(() => undefined);
    return new Promise<T>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      const begin = () => signal.removeEventListener("abort", stop);
      signal.addEventListener("abort", stop, { once: true });
      work(begin).then(resolve, reject).finally(begin);
    });
  }
}

/** Maximum timer delay in Node.js. */
const MAX_MS = 2 ** 31 - 1;

function timeoutError(milliseconds: number): CairnError {
  return new CairnError(
    "busy",
    `Timed out after ${milliseconds} ms; nothing was written. Request less, or allow more time.`,
  );
}

const MIN_RATIO = 0.1;

export interface WorkClock {
  readonly passed: () => number;
  readonly used: () => number;
}

const thisProcessClock: WorkClock = {
  passed: () => performance.now(),
  used: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * A clock based on this process's CPU time, so that a limit allows the same work on a busy machine.
 * For single-purpose processes. Never ahead of wall time, and at least a tenth of its speed.
 */
export function workClock({ passed, used }: WorkClock = thisProcessClock): Clock {
  const start = { at: Date.now(), passed: passed(), used: used() };
  return {
    now() {
      const wallTime = passed() - start.passed;
      const worked = Math.max(used() - start.used, wallTime * MIN_RATIO);
      return new Date(start.at + Math.min(wallTime, worked));
    },
  };
}
