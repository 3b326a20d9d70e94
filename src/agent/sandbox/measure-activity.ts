import { readdirSync, readFileSync } from "node:fs";
import { namespaceDepth } from "../processes/process-scan.ts";

/**
 * Returns the CPU time of each thread of confined processes below `owner`. If two results are
 * equal, no process ran in between, and none can have made a file. Undefined if that is unknown.
 */
export function measureActivity(owner: number): string | undefined {
  const first = sampleProcess(owner);
  // Read twice, to notice a process that started another one meanwhile.
  return first !== undefined && first === sampleProcess(owner) ? first : undefined;
}

function sampleProcess(owner: number): string | undefined {
  const lines: string[] = [];
  const next = [owner];
  const own = namespaceDepth(owner).depth;
  if (own === 0) return undefined;
  for (let pid = next.shift(); pid !== undefined; pid = next.shift()) {
    const threads = countThreads(pid);
    if (threads === undefined) return undefined;
    const isConfined = namespaceDepth(pid).depth > own;
    for (const thread of threads) {
      const line = isConfined ? readStatLine(pid, thread) : "";
      const children = readFileAt(`/proc/${pid}/task/${thread}/children`);
      if (line === undefined || children === undefined) return undefined;
      if (line !== "") lines.push(line);
      next.push(...children.split(" ").filter(Boolean).map(Number));
    }
  }
  return lines.join("\n");
}

/** `pid thread start nanoseconds`; undefined if it is running or runnable. */
function readStatLine(pid: number, thread: string): string | undefined {
  const folder = `/proc/${pid}/task/${thread}`;
  const stat = readFileAt(`${folder}/stat`) ?? "";
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ran = readFileAt(`${folder}/schedstat`)?.split(" ")[0];
  if (ran === undefined || !IDLE_STATES.has(state)) return undefined;
  return `${pid} ${thread} ${fields[18]} ${ran}`;
}

/** Sleeping, stopped, dead. */
const IDLE_STATES: ReadonlySet<string> = new Set(["S", "I", "T", "t", "Z", "X"]);

function countThreads(pid: number): readonly string[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return undefined;
  }
}

function readFileAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
