import { setTimeout as pause } from "node:timers/promises";

/** What time itself is to a test. */
type Reason =
  /** What must not happen has time to happen. */
  | "nothing may follow"
  /** A process is killed, or a client leaves, at any point of its work. */
  | "the moment is left to chance"
  /** A card or screen takes no key that comes sooner than somebody can have read it. */
  | "somebody reads"
  /** A slow service, model or thread. */
  | "an answer takes as long"
  /** The receiver's buffers fill. */
  | "a client takes nothing for as long"
  /** A server is away, or its network is cut or silent. */
  | "a fault lasts as long"
  /** What is kept for a limited time, or is not trusted while it is new. */
  | "what is kept gets old"
  /** No output says that the program is ready. */
  | "nothing tells when it listens"
  /** A client that would otherwise ask without a pause. */
  | "the pace of asking again";

/** Waits a fixed time, for tests of which time is a part. Whatever waits for a fact uses `until`. */
export async function letTimePass(ms: number, _why: Reason): Promise<void> {
  await pause(ms);
}
