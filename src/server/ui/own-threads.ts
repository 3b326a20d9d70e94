import type { ThreadHost, ThreadInfo } from "../../agent/index.ts";

/**
 * The threads that clients made or go on with. What a thread left behind when its conversation
 * began afresh can be subscribed to by its id, but is no thread that a client knows of.
 */
export function ownThreads(host: ThreadHost): ThreadInfo[] {
  return host.list().filter(({ isKept }) => isKept !== true);
}
