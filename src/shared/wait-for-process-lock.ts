import { sleep } from "./abort.ts";
import { CairnError } from "./errors.ts";
import { takeProcessLock } from "./process-lock.ts";

/** Milliseconds; what is done under such a lock takes a few. */
const LOCK_WAIT_MS = 10_000;

/** Takes the lock once nobody has it; resolves with how to let go. Throws busy. */
export async function waitForProcessLock(path: string): Promise<() => void> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const lock = takeProcessLock(path);
    if ("release" in lock) return lock.release;
    if (performance.now() > deadline) {
      throw new CairnError("busy", `Process ${lock.heldBy} is changing the file. Try again.`);
    }
    await sleep(2 + Math.random() * 8);
  }
}
