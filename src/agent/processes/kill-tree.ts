import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Between SIGTERM and SIGKILL; milliseconds. */
export const TERM_GRACE_MS = 2_000;
/** A process that SIGKILL cannot end at once waits in the kernel. */
const KILL_GRACE_MS = 1_000;
const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 100;

/** What belongs to started commands, however it was daemonised since. */
export interface ProcessTree {
  /** Process groups that the commands lead. */
  readonly groupIds: readonly number[];
  /** Beginning of the `NAME=value` that their environment carries and no other does. */
  readonly marker: string;
  /** Milliseconds from SIGTERM to SIGKILL, {@link TERM_GRACE_MS} by default; 0: SIGKILL at once. */
  readonly graceMs?: number;
}

/**
 * Ends commands and everything they started: SIGTERM, two seconds, SIGKILL. Where there is a /proc,
 * processes that left their group (setsid) are found by the marker in their environment. Resolves
 * once none is left.
 */
export async function killTree(tree: ProcessTree): Promise<void> {
  const { graceMs = TERM_GRACE_MS } = tree;
  const members = new TreeMembers(tree);
  if (graceMs > 0) {
    if (!members.signal("SIGTERM")) return;
    if (await members.goneWithin(graceMs)) return;
  }
  if (members.signal("SIGKILL")) await members.goneWithin(KILL_GRACE_MS);
}

/** For the moment of exit, when nothing can be awaited any more. */
export function killGroupNow(groupId: number): void {
  sendSignal(-groupId, "SIGKILL");
}

export function groupExists(groupId: number): boolean {
  return sendSignal(-groupId, 0);
}

/**
 * Who belongs to a tree now. /proc is read synchronously: some milliseconds at most, where hundreds
 * of asynchronous reads of many threads at once would take seconds.
 */
class TreeMembers {
  private readonly tree: ProcessTree;
  /** Processes whose environment was read and is another's. */
  private readonly strangers = new Set<number>();

  constructor(tree: ProcessTree) {
    this.tree = tree;
  }

  /** Returns whether anything was there to be signalled. */
  signal(signal: NodeJS.Signals): boolean {
    const members = this.find() ?? [];
    const groups = this.tree.groupIds.filter((groupId) => sendSignal(-groupId, signal));
    for (const pid of members) sendSignal(pid, signal);
    return groups.length > 0 || members.length > 0;
  }

  async goneWithin(milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(LONGEST_POLL_MS, wait * 1.5)) {
      if (!this.isAlive()) return true;
      if (performance.now() > deadline) return false;
      await delay(wait);
    }
  }

  private isAlive(): boolean {
    const members = this.find();
    return members === undefined ? this.tree.groupIds.some(groupExists) : members.length > 0;
  }

  /**
   * Live processes of the groups or with the marker; undefined without a /proc. A dead one that
   * nobody has waited for still counts as a member of its group for `kill`, so its state is read.
   */
  private find(): number[] | undefined {
    const pids = listProcesses();
    return pids.length === 0 ? undefined : pids.filter((pid) => this.includes(pid));
  }

  private includes(pid: number): boolean {
    if (this.strangers.has(pid)) return false;
    // `pid (name) state ppid pgrp …`, where the name may hold anything.
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "" || "ZX".includes(state)) return false;
    if (this.tree.groupIds.includes(Number(group))) return true;
    const environment = readOrEmpty(`/proc/${pid}/environ`);
    const belongs = hasMarker(environment, this.tree.marker);
    // In the middle of an exec it reads as empty, which says nothing.
    if (environment !== "" && !belongs) this.strangers.add(pid);
    return belongs;
  }
}

function listProcesses(): number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function hasMarker(environment: string, marker: string): boolean {
  return environment.split("\0").some((entry) => entry.startsWith(marker));
}

/** Other users' and vanished processes cannot be read: they are not ours. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // EPERM: it exists, though it is no longer ours to signal.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
