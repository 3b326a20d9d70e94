import { setTimeout as pause } from "node:timers/promises";

/** Reasons for a fixed delay. */
type Reason =
  /** Gives an unwanted event time to occur. */
  | "no event may follow"
  /** A process is killed, or a client disconnects, at a random point. */
  | "random moment"
  /** Prompts and screens ignore keys for a moment after they appear. */
  | "prompt ignores early keys"
  | "slow response"
  | "stalled client"
  /** A server is down, or its network is cut or silent. */
  | "fault duration"
  /** A cache entry expires, or becomes old enough to be trusted. */
  | "cache expires"
  /** The program prints no ready line. */
  | "no ready line"
  /** Interval between retries. */
  | "retry interval";

/** Waits a fixed time, for tests that depend on time. To wait for a condition, use `until`. */
export async function waitFixedTime(ms: number, _why: Reason): Promise<void> {
  await pause(ms);
}
