import type { ServerMessage } from "../ui-server/index.ts";

/** Takes the events of one thread once each and in their order, over connections that come and go. */
export class EventOrder {
  /** Number of the last event that was taken; 0: none, or the view begins afresh. */
  last = 0;

  /**
   * `known`: it was taken before; `missing`: some before it did not come, so ask for those since `last`.
   * Messages that are no events of a thread are always `next`.
   */
  place({ payload }: ServerMessage): "known" | "missing" | "next" {
    const seq = "seq" in payload ? payload.seq : undefined;
    if (seq === undefined) return "next";
    if (seq <= this.last) return "known";
    if (this.last > 0 && seq > this.last + 1) return "missing";
    this.last = seq;
    return "next";
  }
}
