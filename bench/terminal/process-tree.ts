import { readdirSync, readFileSync } from "node:fs";

const CLOCK_TICKS_A_SECOND = 100;

/** Returns the process ids of a process and its running descendants. Linux only. */
export function listProcessTree(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat !== undefined) parents.set(Number(name), Number(stat[1]));
  }
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found;
}

/** CPU seconds of the tree, including ended children. */
export function readCpuSeconds(root: number): number {
  const ticks = listProcessTree(root).map((pid) => {
    const fields = readStat(pid) ?? [];
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / CLOCK_TICKS_A_SECOND;
}

/** Proportional set size of the tree, in megabytes. */
export function readProportionalMegabytes(root: number): number {
  const sizes = listProcessTree(root).map((pid) => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // The process has ended meanwhile.
      return 0;
    }
  });
  return sizes.reduce((sum, one) => sum + one, 0) / 1024;
}

/** Returns the fields after the program name: state, parent, … */
function readStat(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
  } catch {
    return undefined;
  }
}
