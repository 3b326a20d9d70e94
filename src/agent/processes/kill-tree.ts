import { setTimeout as delay } from "node:timers/promises";
import { namespaceDepth, ProcessScan } from "./process-scan.ts";

/** Between SIGTERM and SIGKILL; milliseconds. */
export const TERM_GRACE_MS = 2_000;
/** A process that SIGKILL cannot end at once waits in the kernel. */
const KILL_GRACE_MS = 1_000;
const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 100;

export interface ProcessTree {
  /** Process groups that the commands lead. */
  readonly groupIds: readonly number[];
  /** Beginning of the `NAME=value` that their environment carries and no other does. */
  readonly marker: string;
  /** Milliseconds from SIGTERM to SIGKILL, {@link TERM_GRACE_MS} by default; 0: SIGKILL at once. */
  readonly graceMs?: number;
  /** Shared by trees that may end at the same time. */
  readonly scan?: ProcessScan;
}

/**
 * Ends commands and everything they started: SIGTERM, two seconds, SIGKILL. In a sandbox only the
 * commands get the first: what holds the sandbox would take them along at once. Where there is a /proc,
 * processes that left their group (setsid) are found by the marker in their environment. Resolves
 * once none is left.
 */
export async function killTree(tree: ProcessTree): Promise<void> {
  const { graceMs = TERM_GRACE_MS } = tree;
  const members = new TreeMembers(tree);
  // Trees that end at the same time have all asked by then, and one look serves them.
  await delay(1);
  if (graceMs > 0) {
    if (!members.askToEnd()) return;
    if (await members.goneWithin(graceMs)) return;
  }
  if (members.signal("SIGKILL")) await members.goneWithin(KILL_GRACE_MS, "SIGKILL");
}

/** For the moment of exit, when nothing can be awaited any more. */
export function killGroupNow(groupId: number): void {
  sendSignal(-groupId, "SIGKILL");
}

export function groupExists(groupId: number): boolean {
  return sendSignal(-groupId, 0);
}

class TreeMembers {
  readonly #tree: ProcessTree;
  readonly #scan: ProcessScan;
  #since = performance.now();

  constructor(tree: ProcessTree) {
    this.#tree = tree;
    this.#scan = tree.scan ?? new ProcessScan();
  }

  /** SIGTERM to commands and not to what confines them. Returns whether anything was there. */
  askToEnd(): boolean {
    const confined = this.#confined();
    if (confined.length === 0) return this.signal("SIGTERM");
    for (const pid of confined) sendSignal(pid, "SIGTERM");
    this.#since = performance.now();
    return true;
  }

  #confined(): readonly number[] {
    const own = namespaceDepth(process.pid).depth;
    const members = (this.#find() ?? []).map((pid) => ({ pid, ...namespaceDepth(pid) }));
    const deepest = Math.max(own, ...members.map(({ depth }) => depth));
    if (deepest === own) return [];
    return members.flatMap(({ pid, depth, innerPid }) =>
      depth === deepest && innerPid !== 1 ? [pid] : [],
    );
  }

  /** Returns whether anything was there to be signalled. */
  signal(signal: NodeJS.Signals): boolean {
    const members = this.#find() ?? [];
    const groups = this.#tree.groupIds.filter((groupId) => sendSignal(-groupId, signal));
    for (const pid of members) sendSignal(pid, signal);
    this.#since = performance.now();
    return groups.length > 0 || members.length > 0;
  }

  /** With `again`, what was forked in the meantime gets the signal, too. */
  async goneWithin(milliseconds: number, again?: NodeJS.Signals): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(LONGEST_POLL_MS, wait * 1.5)) {
      await delay(wait);
      if (!this.#isAlive()) return true;
      if (performance.now() > deadline) return false;
      if (again !== undefined) this.signal(again);
    }
  }

  #isAlive(): boolean {
    const members = this.#find();
    return members === undefined ? this.#tree.groupIds.some(groupExists) : members.length > 0;
  }

  /** Of the groups or with the marker; undefined without a /proc. */
  #find(): number[] | undefined {
    const { groupIds, marker: beginning } = this.#tree;
    const processes = this.#scan.list(this.#since);
    if (processes.length === 0) return undefined;
    return processes.flatMap(({ pid, groupId, marker }) =>
      groupIds.includes(groupId) || marker?.startsWith(beginning) === true ? [pid] : [],
    );
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
