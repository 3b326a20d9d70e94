import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Taking over takes milliseconds: who has not ended it by then was killed. */
const ABANDONED_MS = 10_000;

/**
 * Runs `body` while no other process takes the place of a daemon; false where one does. Should two
 * get here all the same, the one whose socket is not found notices that and ends.
 */
export async function whileTakingOver(
  folder: string,
  body: () => Promise<boolean>,
): Promise<boolean> {
  const mark = join(folder, "starting");
  const since = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined && Math.abs(Date.now() - since) > ABANDONED_MS) {
    rmSync(mark, { recursive: true, force: true });
  }
  try {
    mkdirSync(mark);
  } catch {
    return false;
  }
  try {
    return await body();
  } finally {
    rmSync(mark, { recursive: true, force: true });
  }
}
