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
    if (!(await isAlive(tree))) return true;
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
}

async function isAlive(tree: ProcessTree): Promise<boolean> {
  const members = await membersOf(tree);
  return members === undefined ? tree.groupIds.some(groupExists) : members.length > 0;
}

/** Returns whether anything was there to be signalled. */
async function signalTree(tree: ProcessTree, signal: NodeJS.Signals): Promise<boolean> {
  const members = (await membersOf(tree)) ?? [];
  const signalled = tree.groupIds.filter((groupId) => sendSignal(-groupId, signal));
  for (const pid of members) sendSignal(pid, signal);
  return signalled.length > 0 || members.length > 0;
}

/**
 * Live processes of the groups or with the marker; undefined without a /proc. A dead one that
 * nobody has waited for still counts as a member of its group for `kill`, so the state is read.
 */
async function membersOf(tree: ProcessTree): Promise<number[] | undefined> {
  const entries = await readdir("/proc").catch(() => undefined);
  const pids = entries?.filter((name) => /^\d+$/.test(name)).map(Number);
  if (pids === undefined || pids.length === 0) return undefined;
  const belong = await Promise.all(pids.map((pid) => belongsTo(pid, tree)));
  return pids.filter((_pid, index) => belong[index]);
}

async function belongsTo(pid: number, tree: ProcessTree): Promise<boolean> {
  // Other users' and vanished processes cannot be read: they are not ours.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // `pid (name) state ppid pgrp …`, where the name may hold anything.
  const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "" || "ZX".includes(state)) return false;
  if (tree.groupIds.includes(Number(group))) return true;
  const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  return environment.split("\0").some((entry) => entry.startsWith(tree.marker));
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
