/**
 * Throttled reload: runs one read at a time, at least `pause` ms apart, and always once more after
 * the last request, so that the final state is never stale.
 */
export class Renewal {
  #startedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #waiting: (() => Promise<void>) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `read` must always settle; of several waiting requests only the last one runs. */
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
