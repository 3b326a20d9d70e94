import { readFileSync } from "node:fs";

/** What some processes take together. */
export interface ProcessUse {
  /** Processes and their threads. */
  readonly count: number;
  readonly memoryMb: number;
  readonly processorSeconds: number;
}

const PAGE_BYTES = 4_096;
const MEBIBYTE = 1024 * 1024;
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
  const [, resident = 0, shared = 0] = readOrEmpty(`/proc/${pid}/statm`).split(" ").map(Number);
  return ((resident - shared) * PAGE_BYTES) / MEBIBYTE;
}

function fairMemory(pid: number): number {
  const found = /^Pss:\s+(\d+) kB$/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`));
  return found === null ? ownMemory(pid) : Number(found[1]) / 1024;
}

/** What is gone, or another user's, takes nothing of ours. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
