/**
 * Reading again what others may have changed. It is read once at a time and no more often than every
 * `pause` milliseconds, and always once more after it was last asked for: what is shown in the end is
 * never older than the last request.
 */
export class Renewal {
  #startedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #waiting: (() => Promise<void>) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `read` settles whatever happens; of several that wait, the last one given is done. */
  ask(read: () => Promise<void>, pause = 0): void {
    this.#waiting = read;
    if (this.#isBusy) return;
    clearTimeout(this.#timer);
    const rest = this.#startedAt + pause - Date.now();
    if (rest > 0) this.#timer = setTimeout(() => void this.#run(pause), rest);
    else void this.#run(pause);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }

  async #run(pause: number): Promise<void> {
    const read = this.#waiting;
    if (read === undefined) return;
    this.#waiting = undefined;
    this.#isBusy = true;
    this.#startedAt = Date.now();
    try {
      await read();
    } finally {
      this.#isBusy = false;
      if (this.#waiting !== undefined) this.ask(this.#waiting, pause);
    }
  }
}
