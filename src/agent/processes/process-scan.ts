import { readdirSync, readFileSync } from "node:fs";
import { inheritedMark } from "./inherited-mark.ts";

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
