import { type ChildProcess, spawn } from "node:child_process";
import { messageOf } from "../../kernel/errors.ts";
import { OutputTail } from "./output-tail.ts";

/** How long a group may take to end after SIGTERM before it gets SIGKILL; milliseconds. */
const KILL_GRACE_MS = 2_000;

export type HookStep =
  | { readonly shell: string }
  | { readonly command: string; readonly args?: readonly string[] };

export interface HookSurroundings {
  /** Project root. */
  readonly cwd: string;
  /** Environment without provider keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Aborting ends the process group; the run then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface HookOutcome {
  /** The step as the config has it. */
  readonly step: string;
  readonly ok: boolean;
  /** Why it is not ok: `exit code 1`, `no answer within 600000 ms`. Empty when it is. */
  readonly reason: string;
  /** Standard output and error as they came, the last part of them. */
  readonly output: string;
}

/**
 * Runs one step in a process group of its own, without stdin. The group is gone when this returns:
 * what a hook left in the background ends with it.
 */
export async function runHookStep(
  step: HookStep,
  variables: Readonly<Record<string, string>>,
  surroundings: HookSurroundings,
): Promise<HookOutcome> {
  surroundings.signal.throwIfAborted();
  const output = new OutputTail();
  const child = start(step, variables, surroundings);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => output.add(text));
  }
  const end = await waitForEnd(child, surroundings);
  surroundings.signal.throwIfAborted();
  return { step: describeStep(step), ok: end === "", reason: end, output: output.text() };
}

export function describeStep(step: HookStep): string {
  return "shell" in step ? step.shell : [step.command, ...(step.args ?? [])].join(" ");
}

function start(
  step: HookStep,
  variables: Readonly<Record<string, string>>,
  { cwd, environment }: HookSurroundings,
): ChildProcess {
  const [command, args] =
    "shell" in step ? ["sh", ["-c", step.shell]] : [step.command, [...(step.args ?? [])]];
  return spawn(command, args, {
    cwd,
    env: { ...environment, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
}

/** Why the step failed, or an empty string. Resolves once its whole group is gone. */
function waitForEnd(child: ChildProcess, surroundings: HookSurroundings): Promise<string> {
  return new Promise((resolve) => {
    let why = "";
    let escalation: NodeJS.Timeout | undefined;
    const end = (reason: string) => {
      why ||= reason;
      signalGroup(child, "SIGTERM");
      escalation ??= setTimeout(() => signalGroup(child, "SIGKILL"), KILL_GRACE_MS);
    };
    const onAbort = () => end("it was cancelled");
    const timeout = setTimeout(
      () => end(`no answer within ${surroundings.timeoutMs} ms`),
      surroundings.timeoutMs,
    );
    surroundings.signal.addEventListener("abort", onAbort, { once: true });
    const finish = (reason: string) => {
      clearTimeout(timeout);
      clearTimeout(escalation);
      surroundings.signal.removeEventListener("abort", onAbort);
      signalGroup(child, "SIGKILL");
      // Lets what the pipes still hold arrive; a process that left the group may keep them open.
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(why || reason);
      }, DRAIN_MS);
    };
    child.once("error", (error) => finish(`it could not be started (${messageOf(error)})`));
    child.once("exit", (code, signal) => finish(reasonOf(code, signal)));
  });
}

const DRAIN_MS = 20;

function reasonOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === 0) return "";
  return code === null ? `ended by ${signal ?? "a signal"}` : `exit code ${code}`;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // ESRCH: nobody is left in the group, which is what was wanted.
  }
}
