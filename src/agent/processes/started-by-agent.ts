import { readFileSync } from "node:fs";
import type { Environment } from "./child-environment.ts";
import { inheritedMark } from "./inherited-mark.ts";
import { PROCESS_TREE_MARKER } from "./process-scan.ts";

const MAX_ANCESTORS = 64;

/**
 * True if this process was started by an agent's command, directly or through others: by the mark
 * that such commands carry in their environment and as an open file, its own or that of a process
 * above it. What hides both and leaves its parents is still kept from the trust file by the
 * sandbox.
 */
export function startedByAgent(environment: Environment): boolean {
  if (environment[PROCESS_TREE_MARKER] !== undefined) return true;
  if (inheritedMark(process.pid)?.startsWith(`${PROCESS_TREE_MARKER}=`) === true) return true;
  let pid = process.ppid;
  for (let depth = 0; depth < MAX_ANCESTORS && pid > 1; depth += 1) {
    if (readProc(pid, "environ").includes(`${PROCESS_TREE_MARKER}=`)) return true;
    pid = Number(/^PPid:\s*(\d+)/m.exec(readProc(pid, "status"))?.[1] ?? 0);
  }
  return false;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // Another user's process, one that has just ended, or a system without /proc.
    return "";
  }
}
