import { CairnError } from "../shared/errors.ts";

/** Aborts a request after a period without content; pings do not count. */
export class SilenceWatch {
  readonly #controller = new AbortController();
  readonly #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isSilent = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isSilent = true;
      this.#controller.abort();
    }, this.#limitMs);
  }

  giveUp(): void {
    this.stop();
    this.#controller.abort();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  throwIfSilent(): void {
    if (!this.#isSilent) return;
    throw new CairnError(
      "unavailable",
      `The provider sent no data for ${this.#limitMs / 1000} s. Send the message again, or choose ` +
        "another model or a lower effort.",
    );
  }
}
