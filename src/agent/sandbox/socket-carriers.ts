import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";

const LISTEN_PREFIX = "UNIX-LISTEN:";

/** Ends the `socat` processes of a killed helper's folder. */
export function endCarriers(isAbandoned: (name: string) => boolean): void {
  for (const pid of listNumbers("/proc")) {
    const [program = "", listens = ""] = readOrEmpty(`/proc/${pid}/cmdline`).split("\0");
    if (basename(program) !== "socat" || !listens.startsWith(LISTEN_PREFIX)) continue;
    const [socket = ""] = listens.slice(LISTEN_PREFIX.length).split(",", 1);
    if (isAbandoned(basename(dirname(socket)))) endProcess(Number(pid));
  }
}

/** Expected: it has ended, or belongs to another user. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Empty without `/proc`, as on macOS. */
function listNumbers(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
