import type { RecallProcesses } from "../../src/memory/recall/apart/recall-processes.ts";
import { until } from "./until.ts";

/**
 * Has one of the processes be ready by recalls that wait for each other, and every further recall given to it,
 * as if others were at work all the time, until `end`.
 */
export async function busyRecalls(
  processes: RecallProcesses,
  recall: () => Promise<unknown>,
): Promise<{ end(): Promise<void> }> {
  const others = new AbortController();
  const areDone = new Promise((resolve) => others.signal.addEventListener("abort", resolve));
  const atWork = [0, 1].map(() => processes.counted(() => areDone));
  await until(async () => {
    await Promise.all(Array.from({ length: 20 }, recall));
    return processes.state.ready > 0;
  });
  return {
    async end() {
      others.abort();
      await Promise.all(atWork);
    },
  };
}
