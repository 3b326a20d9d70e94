import type { Clock } from "./clock.ts";

/** The moment by which an answer is wanted. Long work checks it often, so that no step runs far past it. */
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

  /** Milliseconds until the deadline; 0 once it has passed. */
  get left(): number {
    return Math.max(0, this.#at - this.#clock.now().getTime());
  }

  /** An earlier deadline, after this share of the time that is left. */
  afterShare(share: number): Deadline {
    return new Deadline(this.#clock, this.left * share);
  }

  /** A deadline that is later by so many milliseconds. */
  extendedBy(milliseconds: number): Deadline {
    return new Deadline(this.#clock, this.#at - this.#clock.now().getTime() + milliseconds);
  }
}
