import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { messageOf } from "../../shared/errors.ts";
import type { ExitGuard } from "./exit-guard.ts";
import { InheritedMark } from "./inherited-mark.ts";
import { groupExists, killTree } from "./kill-tree.ts";
import { OutputRing } from "./output-ring.ts";
import { tellSystemLimit } from "./tell-system-limit.ts";

/** Lets what the pipes still hold arrive after the exit; milliseconds. */
const DRAIN_MS = 50;

export interface ManagedProcess {
  readonly id: string;
  readonly command: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly output: OutputRing;
  readonly state: ProcessState;
  /** Its group as long as anybody is left in it. */
  readonly groupId: number | undefined;
  /** Resolves once it has ended; never rejects. */
  readonly ended: Promise<void>;
  /** Ends it with all that it started. */
  kill(): Promise<void>;
  /** Closes the pipes of one that was killed with its table. */
  letGo(): Promise<void>;
}

type ProcessState = { readonly phase: "running" } | EndedState;

interface EndedState {
  readonly phase: "ended";
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedAt: number;
  /** Why it could not be started. */
  readonly problem?: string;
}

export interface ProcessStart {
  readonly id: string;
  readonly command: string;
  readonly wrapped: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly guard: ExitGuard;
  /** Called at the end; what it says is added to the output. */
  readonly finished?: () => Promise<string>;
  readonly marker: { readonly name: string; readonly value: string };
}

/** Runs `sh -c` in a process group of its own, without stdin. */
export function startProcess(start: ProcessStart): ManagedProcess {
  const mark = new InheritedMark(`${start.marker.name}=${start.marker.value}`);
  const child = spawn("sh", ["-c", start.wrapped], {
    cwd: start.cwd,
    env: { ...start.environment, [start.marker.name]: start.marker.value },
    stdio: ["ignore", "pipe", "pipe", ...mark.stdio],
    detached: true,
  }) as ChildProcessByStdio<null, Readable, Readable>;
  mark.letGo();
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
      limit ??= tellSystemLimit(how, output, start.guard.limits);
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
    await letGo();
  };
  const letGo = async () => {
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
      // It may hold anything up by now: no time to clean up.
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
    letGo,
  };
}

/** Calls `end` when the command is done or could not be started, at times more than once. */
function onEnd(child: ChildProcess, end: (how: Omit<EndedState, "phase" | "endedAt">) => void) {
  child.once("error", (error) => {
    end({ exitCode: null, signal: null, problem: messageOf(error) });
  });
  child.once("close", (exitCode, signal) => end({ exitCode, signal }));
  // A child in the background keeps the pipes open though the command itself is done.
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
  const said = await finished().catch(
    (error: unknown) =>
      `The sandbox could not look after what the command made: ${messageOf(error)}.`,
  );
  if (said !== "") output.add(Buffer.from(`\n[${said}]\n`));
}
