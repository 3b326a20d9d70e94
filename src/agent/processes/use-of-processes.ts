import { readFileSync } from "node:fs";

/** What some processes take together. */
export interface ProcessUse {
  /** Processes and their threads. */
  readonly count: number;
  readonly memoryMb: number;
  readonly processorSeconds: number;
}

/** Of /proc, on every Linux. */
const TICKS_A_SECOND = 100;

/** Memory that several share is counted for each here; `sharedFairly` divides it, and costs more. */
export function measureUse(pids: readonly number[], sharedFairly = false): ProcessUse {
  let [count, memoryMb, processorSeconds] = [0, 0, 0];
  for (const pid of pids) {
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    if (stat === "") continue;
    // From the state on, which is the third field.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const field = (number: number) => fields[number - 3] ?? 0;
    count += field(20);
    // Of its own and of its children that have ended.
    processorSeconds += (field(14) + field(15) + field(16) + field(17)) / TICKS_A_SECOND;
    memoryMb += sharedFairly ? fairMemory(pid) : ownMemory(pid);
  }
  return { count, memoryMb, processorSeconds };
}

/** What it holds without the files that it maps. */
function ownMemory(pid: number): number {
  return megabytesOf("RssAnon", `/proc/${pid}/status`) ?? 0;
}

function fairMemory(pid: number): number {
  return megabytesOf("Pss", `/proc/${pid}/smaps_rollup`) ?? ownMemory(pid);
}

/** What a line of the file tells in kB, whatever the size of a page on this machine is. */
function megabytesOf(name: string, path: string): number | undefined {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readOrEmpty(path));
  return found === null ? undefined : Number(found[1]) / 1024;
}

/** What is gone, or another user's, takes nothing of ours. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
