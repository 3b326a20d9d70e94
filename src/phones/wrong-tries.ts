import { CairnError } from "../shared/errors.ts";

const MOST = 10;
const WITHIN_MS = 60_000;

/** Holds up whoever tries out secrets: after some wrong ones nobody's is looked at for a while. */
export class WrongTries {
  #at: number[] = [];
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Throws busy while too many were wrong. */
  require(): void {
    const now = this.#now();
    this.#at = this.#at.filter((at) => now - at < WITHIN_MS);
    if (this.#at.length < MOST) return;
    throw new CairnError("busy", "Too many wrong links were tried. Wait a minute, then try again.");
  }

  note(): void {
    this.#at.push(this.#now());
  }
}
