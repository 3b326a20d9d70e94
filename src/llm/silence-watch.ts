import { CairnError } from "../shared/errors.ts";

/** Gives a request up when nothing of its answer arrives for long; pings are nothing. */
export class SilenceWatch {
  readonly #controller = new AbortController();
  readonly #limitMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isSilent = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.heard();
  }

  /** Aborts when the silence lasted too long. */
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

  /** Ends the request: what follows is not wanted. */
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
      `The provider sent nothing for ${this.#limitMs / 1000} s. Send the message again, or choose ` +
        "another model or a lower effort.",
    );
  }
}
