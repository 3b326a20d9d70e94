import { readdirSync, readFileSync } from "node:fs";
import { namespaceDepth } from "../processes/process-scan.ts";

/**
 * Returns the CPU time of each thread of confined processes below `owner`. If two results are
 * equal, no process ran in between, and none can have made a file. Undefined if that is unknown.
 */
export function workOfCommands(owner: number): string | undefined {
  const first = sampleOf(owner);
  // Read twice, to notice a process that started another one meanwhile.
  return first !== undefined && first === sampleOf(owner) ? first : undefined;
}

function sampleOf(owner: number): string | undefined {
  const lines: string[] = [];
  const next = [owner];
  const own = namespaceDepth(owner).depth;
  if (own === 0) return undefined;
  for (let pid = next.shift(); pid !== undefined; pid = next.shift()) {
    const threads = threadsOf(pid);
    if (threads === undefined) return undefined;
    const isConfined = namespaceDepth(pid).depth > own;
    for (const thread of threads) {
      const line = isConfined ? lineOf(pid, thread) : "";
      const children = readAt(`/proc/${pid}/task/${thread}/children`);
      if (line === undefined || children === undefined) return undefined;
      if (line !== "") lines.push(line);
      next.push(...children.split(" ").filter(Boolean).map(Number));
    }
  }
  return lines.join("\n");
}

/** `pid thread start nanoseconds`; undefined if it is running or runnable. */
function lineOf(pid: number, thread: string): string | undefined {
  const folder = `/proc/${pid}/task/${thread}`;
  const stat = readAt(`${folder}/stat`) ?? "";
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ran = readAt(`${folder}/schedstat`)?.split(" ")[0];
  if (ran === undefined || !IDLE.has(state)) return undefined;
  return `${pid} ${thread} ${fields[18]} ${ran}`;
}

/** Sleeping, stopped, dead. */
const IDLE: ReadonlySet<string> = new Set(["S", "I", "T", "t", "Z", "X"]);

function threadsOf(pid: number): readonly string[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return undefined;
  }
}

function readAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
