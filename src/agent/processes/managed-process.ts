import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { messageOf } from "../../shared/errors.ts";
import { startShell } from "../../shared/programs.ts";
import { type CommandLimits, commandLimits, overLimitMessage } from "./command-limits.ts";
import { LimitWatch } from "./limit-watch.ts";
import { groupExists, InheritedMark, killGroupNow, killTree, ProcessScan } from "./process-scan.ts";

/** Kills process groups at an exit without close; Node.js warns about many listeners. */
export class ExitGuard {
  readonly scan = new ProcessScan();
  readonly limits: CommandLimits;
  readonly watch: LimitWatch;
  readonly #groups = new Set<number>();
  readonly #onExit = () => {
    for (const groupId of this.#groups) {
      if (groupExists(groupId)) killGroupNow(groupId);
    }
  };

  constructor(limits = commandLimits()) {
    this.limits = limits;
    this.watch = new LimitWatch(this.scan, limits);
  }

  add(groupId: number): void {
    if (this.#groups.size === 0) process.on("exit", this.#onExit);
    this.#groups.add(groupId);
  }

  remove(groupId: number): void {
    this.#groups.delete(groupId);
    if (this.#groups.size === 0) process.off("exit", this.#onExit);
  }
}

const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 48 * 1024;

/** Keeps the first and the last part of any output in bounded memory. */
export class OutputRing {
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #dropped = 0;

  add(chunk: Buffer): void {
    const room = HEAD_BYTES - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Joined only at twice the size, so that small chunks do not copy the whole each time.
    if (this.#tailBytes > 2 * TAIL_BYTES) this.#trim();
  }

  get totalBytes(): number {
    return this.#head.length + this.#tailBytes + this.#dropped;
  }

  text(): string {
    this.#trim();
    const head = this.#head.toString("utf8");
    const tail = Buffer.concat(this.#tail).toString("utf8");
    return this.#dropped === 0
      ? head + tail
      : `${head}\n[… ${this.#dropped} bytes omitted …]\n${tail}`;
  }

  #trim(): void {
    const surplus = this.#tailBytes - TAIL_BYTES;
    if (surplus <= 0) return;
    const stored = Buffer.concat(this.#tail).subarray(surplus);
    // A copy: a view would retain the larger buffer.
    this.#tail = [Buffer.from(stored)];
    this.#tailBytes = stored.length;
    this.#dropped += surplus;
  }
}

/** Messages of shells and programs about the file size limit. */
const FILE_SIZE_ERROR = /File size limit exceeded|\bEFBIG\b|File too large/m;

/** A shell adds this to the number of the signal that ended a command. */
const SIGNAL_EXIT_BASE = 128;

interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

function describeSystemLimit(
  { exitCode, signal }: CommandEnd,
  output: OutputRing,
  limits: CommandLimits,
): string | undefined {
  const isEndedBy = (name: "SIGXFSZ" | "SIGXCPU") =>
    signal === name || exitCode === SIGNAL_EXIT_BASE + constants.signals[name];
  if (isEndedBy("SIGXCPU")) return overLimitMessage("processorSeconds", limits);
  if (isEndedBy("SIGXFSZ")) return overLimitMessage("fileMb", limits);
  if (exitCode === 0) return undefined;
  return FILE_SIZE_ERROR.test(output.text()) ? overLimitMessage("fileMb", limits) : undefined;
}

/** Time for the pipes to drain after the exit. */
const DRAIN_MS = 50;

export interface ManagedProcess {
  readonly id: string;
  readonly command: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly output: OutputRing;
  readonly state: ProcessState;
  readonly groupId: number | undefined;
  /** Never rejects. */
  readonly ended: Promise<void>;
  /** Ends it with all its processes. */
  kill(): Promise<void>;
  letGo(): Promise<void>;
}

type ProcessState = { readonly phase: "running" } | EndedState;

interface EndedState {
  readonly phase: "ended";
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedAt: number;
  readonly problem?: string;
}

export interface ProcessStart {
  readonly id: string;
  readonly command: string;
  readonly wrapped: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly guard: ExitGuard;
  /** Called at the end; its result is appended to the output. */
  readonly finished?: () => Promise<string>;
  readonly marker: { readonly name: string; readonly value: string };
}

/** Runs `sh -c` in a process group of its own, without stdin. */
export function startProcess(start: ProcessStart): ManagedProcess {
  const inheritedMarker = new InheritedMark(`${start.marker.name}=${start.marker.value}`);
  const child = startShell(start.wrapped, {
    cwd: start.cwd,
    env: { ...start.environment, [start.marker.name]: start.marker.value },
    stdio: ["ignore", "pipe", "pipe", ...inheritedMarker.stdio],
    detached: true,
  });
  inheritedMarker.letGo();
  const leader = child.pid;
  const output = new OutputRing();
  let limit: string | undefined;
  let state: ProcessState = { phase: "running" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => output.add(chunk));
    stream.on("error", () => stream.destroy());
  }
  if (leader !== undefined) start.guard.add(leader);

  const ended = new Promise<void>((resolve) => {
    const end = (how: Omit<EndedState, "phase" | "endedAt">) => {
      if (state.phase === "ended") return;
      state = { phase: "ended", endedAt: Date.now(), ...how };
      limit ??= describeSystemLimit(how, output, start.guard.limits);
      if (leader !== undefined && !groupExists(leader)) start.guard.remove(leader);
      void afterwards(start, { output, limit }).then(resolve);
    };
    onEnd(child, end);
  });
  const marker = `${start.marker.name}=${start.marker.value}`;
  const groupId = () => (leader !== undefined && groupExists(leader) ? leader : undefined);
  const kill = async (graceMs?: number) => {
    if (leader === undefined) return;
    const groupIds = groupExists(leader) ? [leader] : [];
    const { scan } = start.guard;
    await killTree({ groupIds, marker, scan, ...(graceMs !== undefined && { graceMs }) });
    await releaseGroup();
  };
  const releaseGroup = async () => {
    if (leader === undefined) return;
    start.guard.remove(leader);
    child.stdout.destroy();
    child.stderr.destroy();
    await ended;
  };
  start.guard.watch.add({
    marker,
    get isRunning() {
      return state.phase === "running";
    },
    get groupId() {
      return groupId();
    },
    end(why) {
      if (state.phase === "running") limit = why;
      else output.add(Buffer.from(`\n[${why}]\n`));
      // It may block the exit: there is no time to clean up.
      void kill(0);
    },
  });
  return {
    id: start.id,
    command: start.command,
    startedAt: Date.now(),
    output,
    ended,
    get state() {
      return state;
    },
    get groupId() {
      return groupId();
    },
    kill: () => kill(),
    letGo: releaseGroup,
  };
}

/** May call `end` more than once. */
function onEnd(child: ChildProcess, end: (how: Omit<EndedState, "phase" | "endedAt">) => void) {
  child.once("error", (error) => {
    end({ exitCode: null, signal: null, problem: messageOf(error) });
  });
  child.once("close", (exitCode, signal) => end({ exitCode, signal }));
  // A background child may hold the pipes open after the command has ended.
  child.once("exit", (exitCode, signal) => {
    setTimeout(() => end({ exitCode, signal }), DRAIN_MS);
  });
}

async function afterwards(
  { finished }: ProcessStart,
  { output, limit }: { readonly output: OutputRing; readonly limit: string | undefined },
): Promise<void> {
  if (limit !== undefined) output.add(Buffer.from(`\n[${limit}]\n`));
  if (finished === undefined) return;
  const text = await finished().catch(
    (error: unknown) =>
      `The sandbox could not check the files that the command created: ${messageOf(error)}.`,
  );
  if (text !== "") output.add(Buffer.from(`\n[${text}]\n`));
}
