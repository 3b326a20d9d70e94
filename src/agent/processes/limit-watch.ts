import { readFileSync } from "node:fs";
import { type CommandLimit, type CommandLimits, overLimitMessage } from "./command-limits.ts";
import type { ProcessScan } from "./process-scan.ts";

interface ProcessUse {
  readonly count: number;
  readonly memoryMb: number;
  readonly processorSeconds: number;
}

const TICKS_PER_SECOND = 100;

/** Counts shared memory for each process; `sharedFairly` divides it, but is slower. */
function measureUse(pids: readonly number[], sharedFairly = false): ProcessUse {
  let [count, memoryMb, processorSeconds] = [0, 0, 0];
  for (const pid of pids) {
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    if (stat === "") continue;
    // From the state on, which is the third field.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const numberField = (number: number) => fields[number - 3] ?? 0;
    count += numberField(20);
    processorSeconds +=
      (numberField(14) + numberField(15) + numberField(16) + numberField(17)) / TICKS_PER_SECOND;
    memoryMb += sharedFairly ? measureFairMemory(pid) : measureOwnMemory(pid);
  }
  return { count, memoryMb, processorSeconds };
}

function measureOwnMemory(pid: number): number {
  return readMegabytes("RssAnon", `/proc/${pid}/status`) ?? 0;
}

function measureFairMemory(pid: number): number {
  return readMegabytes("Pss", `/proc/${pid}/smaps_rollup`) ?? measureOwnMemory(pid);
}

function readMegabytes(name: string, path: string): number | undefined {
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

/** At least fifty times the duration of a check. */
const POLL_INTERVAL_MS = 250;
const REST_FACTOR = 50;

export interface WatchedCommand {
  readonly isRunning: boolean;
  readonly groupId: number | undefined;
  /** Prefix of the marker of its processes. */
  readonly marker: string;
  end(why: string): void;
}

/** Ends commands whose processes together exceed the limits. Does nothing without /proc. */
export class LimitWatch {
  readonly #commands = new Map<WatchedCommand, number>();
  readonly #scan: ProcessScan;
  readonly #limits: CommandLimits;
  #timer: NodeJS.Timeout | undefined;

  constructor(scan: ProcessScan, limits: CommandLimits) {
    this.#scan = scan;
    this.#limits = limits;
  }

  add(command: WatchedCommand): void {
    if (process.platform !== "linux") return;
    this.#commands.set(command, 0);
    this.#waitFor(POLL_INTERVAL_MS);
  }

  #waitFor(milliseconds: number): void {
    if (this.#timer !== undefined || this.#commands.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const began = performance.now();
      this.#look();
      this.#waitFor(Math.max(POLL_INTERVAL_MS, REST_FACTOR * (performance.now() - began)));
    }, milliseconds).unref();
  }

  #look(): void {
    const seen = this.#scan.list();
    for (const [command, before] of this.#commands) {
      const { groupId: group, marker: beginning } = command;
      const pids = seen.flatMap(({ pid, groupId, marker }) =>
        groupId === group || marker?.startsWith(beginning) === true ? [pid] : [],
      );
      if (pids.length === 0 && !command.isRunning) {
        this.#commands.delete(command);
        continue;
      }
      const { over, processorSeconds } = this.#judge(pids, before);
      this.#commands.set(command, processorSeconds);
      if (over === undefined) continue;
      this.#commands.delete(command);
      command.end(over);
    }
  }

  #judge(pids: readonly number[], before: number) {
    const use = measureUse(pids);
    const processorSeconds = Math.max(before, use.processorSeconds);
    const { memoryMb } = this.#limits;
    const isHungry = use.memoryMb > memoryMb && measureUse(pids, true).memoryMb > memoryMb;
    const used: readonly (readonly [CommandLimit, number])[] = [
      ["processes", use.count],
      ["processorSeconds", processorSeconds],
      ["memoryMb", isHungry ? use.memoryMb : 0],
    ];
    const [over] = used.filter(([limit, amount]) => amount > this.#limits[limit]);
    return {
      processorSeconds,
      over: over === undefined ? undefined : overLimitMessage(over[0], this.#limits, over[1]),
    };
  }
}
