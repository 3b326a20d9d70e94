import type { ServerMessage } from "../server/ui/index.ts";

/** Delivers each event of a thread once and in order, across reconnects. */
export class EventOrder {
  #last = 0;
  #isAwaiting = false;

  /** Sequence number of the last event; 0 before the first or after a reset. */
  get last(): number {
    return this.#last;
  }

  /**
   * Returns `sinceSeq` for the `thread.subscribe` being sent. Drops later events in flight until
   * the events after that number arrive, since the server resends them.
   */
  ask(): number {
    this.#isAwaiting = true;
    return this.#last;
  }

  restart(): void {
    this.#last = 0;
    this.#isAwaiting = false;
  }

  /**
   * `known`: received before or about to be resent. `missing`: earlier events are missing, so
   * request those since `last`. Messages other than thread events are always `next`.
   */
  classify({ type, payload }: ServerMessage): "known" | "missing" | "next" {
    const seq = "seq" in payload ? payload.seq : undefined;
    if (seq === undefined) {
      if (type === "error") this.#isAwaiting = false;
      return "next";
    }
    if (seq <= this.#last) return "known";
    if (seq > this.#last + 1) {
      if (this.#isAwaiting) return "known";
      if (this.#last > 0) return "missing";
    }
    this.#last = seq;
    this.#isAwaiting = false;
    return "next";
  }
}
