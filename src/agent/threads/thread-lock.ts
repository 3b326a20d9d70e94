import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";

export type ThreadLock = { readonly release: () => void } | { readonly heldBy: number };

/**
 * Two processes that write one transcript would mix two conversations. The lock is a file with the
 * process id; one whose process is gone, or that is older than the machine's start, does not count.
 */
export function takeThreadLock(path: string): ThreadLock {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 });
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = holderOf(path);
    if (holder !== undefined) return { heldBy: holder };
    rmSync(path, { force: true });
  }
  return { heldBy: holderOf(path) ?? 0 };
}

/** Whether another live process has the thread. */
export function isLockedElsewhere(path: string): boolean {
  return holderOf(path) !== undefined;
}

function holderOf(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10);
    const startOfMachine = Date.now() - uptime() * 1000;
    if (!(pid > 0) || pid === process.pid) return undefined;
    if (statSync(path).mtimeMs < startOfMachine) return undefined;
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
    return Number.parseInt(readFileSync(path, "utf8"), 10);
  }
}
