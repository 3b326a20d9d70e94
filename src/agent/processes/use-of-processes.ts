import { readFileSync } from "node:fs";

export interface ProcessUse {
  /** Processes and their threads. */
  readonly count: number;
  readonly memoryMb: number;
  readonly processorSeconds: number;
}

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
    processorSeconds += (field(14) + field(15) + field(16) + field(17)) / TICKS_A_SECOND;
    memoryMb += sharedFairly ? fairMemory(pid) : ownMemory(pid);
  }
  return { count, memoryMb, processorSeconds };
}

function ownMemory(pid: number): number {
  return megabytesOf("RssAnon", `/proc/${pid}/status`) ?? 0;
}

function fairMemory(pid: number): number {
  return megabytesOf("Pss", `/proc/${pid}/smaps_rollup`) ?? ownMemory(pid);
}

function megabytesOf(name: string, path: string): number | undefined {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readOrEmpty(path));
  return found === null ? undefined : Number(found[1]) / 1024;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
