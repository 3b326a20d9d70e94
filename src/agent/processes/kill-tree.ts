import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** Between SIGTERM and SIGKILL; milliseconds. */
const TERM_GRACE_MS = 2_000;
/** A process that SIGKILL cannot end at once waits in the kernel. */
const KILL_GRACE_MS = 1_000;
const POLL_MS = 15;

/** What belongs to started commands, however it was daemonised since. */
export interface ProcessTree {
  /** Process groups that the commands lead. */
  readonly groupIds: readonly number[];
  /** Beginning of the `NAME=value` that their environment carries and no other does. */
  readonly marker: string;
}

/**
 * Ends commands and everything they started: SIGTERM, two seconds, SIGKILL. Where there is a /proc,
 * processes that left their group (setsid) are found by the marker in their environment. Resolves
 * once none is left.
 */
export async function killTree(tree: ProcessTree): Promise<void> {
  if (!(await signalTree(tree, "SIGTERM"))) return;
  if (await waitUntilGone(tree, TERM_GRACE_MS)) return;
  await signalTree(tree, "SIGKILL");
  await waitUntilGone(tree, KILL_GRACE_MS);
}

/** For the moment of exit, when nothing can be awaited any more. */
export function killGroupNow(groupId: number): void {
  sendSignal(-groupId, "SIGKILL");
}

export function groupExists(groupId: number): boolean {
  return sendSignal(-groupId, 0);
}

async function waitUntilGone(tree: ProcessTree, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const alive = tree.groupIds.some(groupExists) || (await strays(tree)).length > 0;
    if (!alive) return true;
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
}

/** Returns whether anything was there to be signalled. */
async function signalTree(tree: ProcessTree, signal: NodeJS.Signals): Promise<boolean> {
  const outside = await strays(tree);
  const signalled = tree.groupIds.filter((groupId) => sendSignal(-groupId, signal));
  for (const pid of outside) sendSignal(pid, signal);
  return signalled.length > 0 || outside.length > 0;
}

/** Live processes with the marker; zombies have no environment and are left out. */
async function strays(tree: ProcessTree): Promise<number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(pids.map((pid) => hasMarker(pid, tree.marker)));
  return pids.filter((_pid, index) => marked[index]);
}

async function hasMarker(pid: number, marker: string): Promise<boolean> {
  // Other users' and vanished processes cannot be read: they are not ours.
  const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  return environment.split("\0").some((entry) => entry.startsWith(marker));
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
