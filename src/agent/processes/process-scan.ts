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

/** Higher than programs expect, lower than a shell reserves. */
const MARKER_FD = 97;

/** A deleted open file that descendants inherit. Undefined if no file can be created. */
export class InheritedMark {
  /** For `spawn`: the mark at its descriptor. */
  readonly stdio: readonly ("ignore" | number)[];
  readonly #file: number | undefined;

  constructor(marker: string) {
    this.#file = openUnlinked(join(tmpdir(), marker));
    const gap = Array.from({ length: MARKER_FD - 3 }, () => "ignore" as const);
    this.stdio = this.#file === undefined ? [] : [...gap, this.#file];
  }

  /** Call after the command was started. */
  letGo(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

export function inheritedMark(pid: number): string | undefined {
  try {
    const name = basename(readlinkSync(`/proc/${pid}/fd/${MARKER_FD}`));
    return name.endsWith(DELETED_SUFFIX) ? name.slice(0, -DELETED_SUFFIX.length) : undefined;
  } catch {
    // It has no such file, has ended, or belongs to another user.
    return undefined;
  }
}

const DELETED_SUFFIX = " (deleted)";

const { O_RDONLY, O_CREAT, O_EXCL } = constants;

function openUnlinked(path: string): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const file = openSync(path, O_RDONLY | O_CREAT | O_EXCL, 0o400);
    unlinkSync(path);
    return file;
  } catch {
    // A full disk does not keep commands from running; the environment has the mark too.
    return undefined;
  }
}

export interface ScannedProcess {
  readonly pid: number;
  readonly groupId: number;
  /** `NAME=value` in its environment, or inherited as an open file. */
  readonly marker: string | undefined;
}

/**
 * Depth of process namespaces as seen from here: processes in a sandbox are deeper. The id in the
 * innermost one is 1 for its first process.
 */
export function namespaceDepth(pid: number): { readonly depth: number; readonly innerPid: number } {
  const ids = /^NSpid:\s+(.+)$/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1]?.split(/\s+/) ?? [];
  return { depth: ids.length, innerPid: Number(ids.at(-1) ?? pid) };
}

export const PROCESS_TREE_MARKER = "CAIRN_PROCESS_TREE";

/** Validity of a scan in milliseconds, and at least twice its duration. */
const SCAN_TTL_MS = 15;

/** Scans live processes for all threads that end together; reads /proc synchronously. */
export class ProcessScan {
  /** By process and start time; a process that drops its environment keeps its marker. */
  #known = new Map<string, string | undefined>();
  #seen: readonly ScannedProcess[] = [];
  #seenAt = Number.NEGATIVE_INFINITY;
  #freshUntil = Number.NEGATIVE_INFINITY;

  /** State at `since` (of `performance.now()`) or later; empty without /proc. */
  list(since = performance.now()): readonly ScannedProcess[] {
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
    this.#freshUntil = now + Math.max(SCAN_TTL_MS, 2 * (now - this.#seenAt));
  }

  #readMarker(pid: number, key: string): string | undefined {
    if (this.#known.has(key)) return undefined;
    const environment = readOrEmpty(`/proc/${pid}/environ`);
    const isMark = (text: string) => text.startsWith(`${PROCESS_TREE_MARKER}=`);
    const inherited = inheritedMark(pid);
    const marker = environment.split("\0").find(isMark);
    if (marker !== undefined) return marker;
    if (inherited !== undefined && isMark(inherited)) return inherited;
    // During an exec the environment reads as empty.
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

/** `pid (name) state ppid pgrp …`; the name may contain anything. */
function readStat(pid: number): { groupId: number; start: string } | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = ""] = fields;
  if (state === "" || "ZX".includes(state)) return undefined;
  return { groupId: Number(fields[2]), start: fields[19] ?? "" };
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

const TERM_GRACE_MS = 2_000;
/** A process that SIGKILL cannot end at once waits in the kernel. */
const KILL_GRACE_MS = 1_000;
const FIRST_POLL_MS = 10;
const MAX_POLL_MS = 100;

interface ProcessTree {
  readonly groupIds: readonly number[];
  /** Prefix of the `NAME=value` that only their environment contains. */
  readonly marker: string;
  /** Milliseconds from SIGTERM to SIGKILL; 0: SIGKILL at once. */
  readonly graceMs?: number;
  readonly scan?: ProcessScan;
}

/**
 * Ends commands and all their processes: SIGTERM, two seconds, SIGKILL. In a sandbox only the
 * commands get the first, since the sandbox would end them at once. Processes that left their group
 * are found by the marker. Resolves once none is left.
 */
export async function killTree(tree: ProcessTree): Promise<void> {
  const { graceMs = TERM_GRACE_MS } = tree;
  const members = new TreeMembers(tree);
  // Trees that end together share one scan.
  await delay(1);
  if (graceMs > 0) {
    if (!members.askToEnd()) return;
    if (await members.goneWithin(graceMs)) return;
  }
  if (members.signal("SIGKILL")) await members.goneWithin(KILL_GRACE_MS, "SIGKILL");
}

/** For the exit, when nothing can be awaited. */
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

  /** SIGTERM to commands, not to their sandbox. */
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

  signal(signal: NodeJS.Signals): boolean {
    const members = this.#find() ?? [];
    const groups = this.#tree.groupIds.filter((groupId) => sendSignal(-groupId, signal));
    for (const pid of members) sendSignal(pid, signal);
    this.#since = performance.now();
    return groups.length > 0 || members.length > 0;
  }

  /** With `again`, processes forked meanwhile get the signal too. */
  async goneWithin(milliseconds: number, again?: NodeJS.Signals): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(MAX_POLL_MS, wait * 1.5)) {
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

  /** Undefined without /proc. */
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
    // EPERM: it exists, but belongs to another user now.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
