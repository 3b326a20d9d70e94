import type { ServerMessage } from "../server/ui/index.ts";

/** Takes the events of one thread once each and in their order, over connections that come and go. */
export class EventOrder {
  #last = 0;
  #isAwaiting = false;

  /** Number of the last event that was taken; 0: none, or the view begins afresh. */
  get last(): number {
    return this.#last;
  }

  /**
   * For `sinceSeq` of the `thread.subscribe` that is sent now. Until the events behind that number
   * come, later ones that are on their way already are left out: the server sends them again.
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
   * `known`: it was taken before, or will be sent again; `missing`: some before it did not come, so
   * ask for those since `last`. Messages that are no events of a thread are always `next`.
   */
  place({ type, payload }: ServerMessage): "known" | "missing" | "next" {
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
