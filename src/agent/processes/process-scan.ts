import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Higher than what programs count on, lower than what a shell keeps for itself. */
const DESCRIPTOR = 97;

/**
 * An open file that is no more, with the mark as its name. A command's descendants inherit it under
 * the same number, whatever environment, session or parent they have; only what closes all its
 * descriptors loses it. Undefined where no file can be made.
 */
export class InheritedMark {
  /** For `spawn`: nothing, up to the descriptor of the mark. */
  readonly stdio: readonly ("ignore" | number)[];
  readonly #file: number | undefined;

  constructor(mark: string) {
    this.#file = openUnlinked(join(tmpdir(), mark));
    const gap = Array.from({ length: DESCRIPTOR - 3 }, () => "ignore" as const);
    this.stdio = this.#file === undefined ? [] : [...gap, this.#file];
  }

  /** Once the command is started: from then on it is the command's alone. */
  letGo(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** The mark that a process has inherited; undefined without a /proc, too. */
export function inheritedMark(pid: number): string | undefined {
  try {
    const name = basename(readlinkSync(`/proc/${pid}/fd/${DESCRIPTOR}`));
    return name.endsWith(DELETED) ? name.slice(0, -DELETED.length) : undefined;
  } catch {
    // It has no such file, has just ended, or is another user's.
    return undefined;
  }
}

const DELETED = " (deleted)";

const { O_RDONLY, O_CREAT, O_EXCL } = constants;

function openUnlinked(path: string): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const file = openSync(path, O_RDONLY | O_CREAT | O_EXCL, 0o400);
    unlinkSync(path);
    return file;
  } catch {
    // A full disk does not keep commands from running; their environment carries the mark, too.
    return undefined;
  }
}

export interface SeenProcess {
  readonly pid: number;
  readonly groupId: number;
  /** `NAME=value` that marks what cairn starts: in its environment, or inherited as an open file. */
  readonly marker: string | undefined;
}

/**
 * Number of process namespaces the process is in, as seen from here: one in a sandbox has more than
 * what holds the sandbox. Its id in the innermost one is 1 for that namespace's own first process.
 */
export function namespaceDepth(pid: number): { readonly depth: number; readonly innerPid: number } {
  const ids = /^NSpid:\s+(.+)$/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1]?.split(/\s+/) ?? [];
  return { depth: ids.length, innerPid: Number(ids.at(-1) ?? pid) };
}

/** In the environment of everything that an agent started. */
export const PROCESS_TREE_MARKER = "CAIRN_PROCESS_TREE";

/** Milliseconds for which one look serves everybody who asks, and at least twice what it took. */
const FRESH_MS = 15;

/**
 * The live processes of the machine, looked at once for all threads that end at the same time.
 * /proc is read synchronously: some milliseconds at most, where hundreds of asynchronous reads of
 * many threads at once would take seconds.
 */
export class ProcessScan {
  /** By process and its start; a marker stays with a process that drops its environment. */
  #known = new Map<string, string | undefined>();
  #seen: readonly SeenProcess[] = [];
  /** When the last look began, and until when it will do. */
  #seenAt = Number.NEGATIVE_INFINITY;
  #freshUntil = Number.NEGATIVE_INFINITY;

  /** As they were at `since` (of `performance.now()`) or later; empty without a /proc. */
  list(since = performance.now()): readonly SeenProcess[] {
    if (this.#seenAt < since || performance.now() > this.#freshUntil) this.#look();
    return this.#seen;
  }

  #look(): void {
    const known = new Map<string, string | undefined>();
    this.#seenAt = performance.now();
    this.#seen = listPids().flatMap((pid) => {
      const stat = readStat(pid);
      if (stat === undefined) return [];
      const key = `${pid} ${stat.start}`;
      const marker = this.#known.get(key) ?? this.#readMarker(pid, key);
      if (marker !== "unread") known.set(key, marker);
      return [{ pid, groupId: stat.groupId, marker: marker === "unread" ? undefined : marker }];
    });
    this.#known = known;
    const now = performance.now();
    this.#freshUntil = now + Math.max(FRESH_MS, 2 * (now - this.#seenAt));
  }

  #readMarker(pid: number, key: string): string | undefined {
    if (this.#known.has(key)) return undefined;
    const environment = readOrEmpty(`/proc/${pid}/environ`);
    const isMark = (text: string) => text.startsWith(`${PROCESS_TREE_MARKER}=`);
    const inherited = inheritedMark(pid);
    const marker = environment.split("\0").find(isMark);
    if (marker !== undefined) return marker;
    if (inherited !== undefined && isMark(inherited)) return inherited;
    // In the middle of an exec it reads as empty, which says nothing.
    return environment === "" ? "unread" : undefined;
  }
}

function listPids(): number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** `pid (name) state ppid pgrp …`, where the name may hold anything; undefined for the dead. */
function readStat(pid: number): { groupId: number; start: string } | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = ""] = fields;
  if (state === "" || "ZX".includes(state)) return undefined;
  return { groupId: Number(fields[2]), start: fields[19] ?? "" };
}

/** Other users' and vanished processes cannot be read: they are not ours. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Between SIGTERM and SIGKILL; milliseconds. */
const TERM_GRACE_MS = 2_000;
/** A process that SIGKILL cannot end at once waits in the kernel. */
const KILL_GRACE_MS = 1_000;
const FIRST_POLL_MS = 10;
const LONGEST_POLL_MS = 100;

interface ProcessTree {
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
