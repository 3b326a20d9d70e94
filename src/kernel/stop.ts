import type { Clock } from "./clock.ts";
import { Deadline } from "./deadline.ts";
import { CairnError } from "./errors.ts";

export interface StopWhen {
  /** Aborts when nobody waits any longer. */
  readonly signal?: AbortSignal | undefined;
  /** How long it may take, milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** When a call is to end before it is done: nobody waits for it any longer, or its time is up. */
export class Stop {
  /** Undefined where nothing can end the call. */
  readonly signal: AbortSignal | undefined;
  readonly #deadline: Deadline | undefined;
  readonly #late = new AbortController();
  readonly #reason: CairnError | undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor({ signal, timeoutMs }: StopWhen, clock: Clock) {
    if (timeoutMs === undefined) {
      this.signal = signal;
      return;
    }
    this.#reason = timeIsUp(timeoutMs);
    this.#deadline = new Deadline(clock, timeoutMs);
    this.#timer = setTimeout(() => this.#late.abort(this.#reason), Math.min(timeoutMs, MOST_MS));
    this.signal =
      signal === undefined ? this.#late.signal : AbortSignal.any([signal, this.#late.signal]);
  }

  /** Whether it is to end now. The clock is asked, too: what holds up the process holds up timers. */
  get isOver(): boolean {
    if (this.#deadline?.isPast === true) this.#late.abort(this.#reason);
    return this.signal?.aborted === true;
  }

  /** Throws why it is to end. */
  throwIfOver(): void {
    if (this.isOver) this.signal?.throwIfAborted();
  }

  /** Once the call has ended, however it did. */
  done(): void {
    clearTimeout(this.#timer);
  }

  /**
   * The answer of `work`, or as soon as it is to end the reason for it; no longer once `work` has
   * called `begin`, from which on it looks at this itself.
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

/** What a timer of Node.js takes. */
const MOST_MS = 2 ** 31 - 1;

function timeIsUp(milliseconds: number): CairnError {
  return new CairnError(
    "busy",
    `It was not done within ${milliseconds} ms, and was ended; a write has stored nothing. Ask for less, or give it more time.`,
  );
}
