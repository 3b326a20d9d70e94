import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Taking over takes milliseconds; a process that has not finished by then was suspended. */
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
  if (isAbandoned(mark)) rmSync(mark, { force: true });
  try {
    writeFileSync(mark, String(process.pid), { flag: "wx", mode: 0o600 });
  } catch {
    return false;
  }
  try {
    return await body();
  } finally {
    rmSync(mark, { force: true });
  }
}

/** True if the process that made the mark is gone or takes far too long. */
function isAbandoned(mark: string): boolean {
  const stats = statSync(mark, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (Math.abs(Date.now() - stats.mtimeMs) > ABANDONED_MS) return true;
  try {
    const pid = Number(readFileSync(mark, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
