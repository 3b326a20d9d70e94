import { setTimeout as pause } from "node:timers/promises";

/** Reasons for a fixed delay. */
type Reason =
  /** Gives an unwanted event time to occur. */
  | "nothing may follow"
  /** A process is killed, or a client disconnects, at a random point. */
  | "the moment is left to chance"
  /** Prompts and screens ignore keys for a moment after they appear. */
  | "somebody reads"
  | "an answer takes as long"
  | "a client takes nothing for as long"
  /** A server is down, or its network is cut or silent. */
  | "a fault lasts as long"
  /** A cache entry expires, or becomes old enough to be trusted. */
  | "what is kept gets old"
  /** The program prints no ready line. */
  | "nothing tells when it listens"
  /** Interval between retries. */
  | "the pace of asking again";

/** Waits a fixed time, for tests that depend on time. To wait for a condition, use `until`. */
export async function waitFixedTime(ms: number, _why: Reason): Promise<void> {
  await pause(ms);
}
