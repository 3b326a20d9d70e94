import type { ThreadHost, ThreadInfo } from "../../agent/index.ts";

/**
 * Lists threads created or resumed by clients. Threads archived by `/clear` can be subscribed to by
 * id but are not listed.
 */
export function clientThreads(host: ThreadHost): ThreadInfo[] {
  return host.list().filter(({ isKept }) => isKept !== true);
}
