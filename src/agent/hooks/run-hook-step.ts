import { randomIds } from "../../shared/ids.ts";
import { quoteForShell } from "../../shared/text.ts";
import type { CommandWrapper } from "../processes/command-limits.ts";
import type { ExitGuard, ManagedProcess } from "../processes/managed-process.ts";
import { ProcessTable } from "../processes/process-table.ts";

export type HookStep =
  | { readonly shell: string }
  | { readonly command: string; readonly args?: readonly string[] };

export interface HookEnvironment {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly processName: string;
  readonly exitGuard: ExitGuard;
  readonly wrapCommand: CommandWrapper;
  readonly timeoutMs: number;
  /** Aborting ends the process group and rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface HookOutcome {
  readonly step: string;
  readonly ok: boolean;
  /** Reason for a failure, such as `exit code 1` or `it did not end within 600000 ms`. */
  readonly reason: string;
  /** Standard output and error; of long output the first and last part. */
  readonly output: string;
}

/** In the sandbox, since the agent may have written what the step runs. */
export async function runHookStep(
  step: HookStep,
  variables: Readonly<Record<string, string>>,
  surroundings: HookEnvironment,
): Promise<HookOutcome> {
  const { cwd, environment, processName, exitGuard, wrapCommand, signal, timeoutMs } = surroundings;
  signal.throwIfAborted();
  const processes = new ProcessTable({
    name: randomIds.next(`${processName}-hook-`),
    cwd,
    environment: { ...environment, ...variables },
    wrap: wrapCommand,
    guard: exitGuard,
  });
  try {
    const process = await processes.start(commandLine(step));
    const isInTime = await endsBeforeTimeout(process, { timeoutMs, signal });
    // Before the kill, so that a timeout is not reported as its signal.
    const reason = isInTime ? describeFailure(process) : `it did not end within ${timeoutMs} ms`;
    await processes.killAll();
    signal.throwIfAborted();
    const output = process.output.text().trimEnd();
    return { step: describeStep(step), ok: reason === "", reason, output };
  } finally {
    await processes.killAll();
  }
}

function describeStep(step: HookStep): string {
  return "shell" in step ? step.shell : [step.command, ...(step.args ?? [])].join(" ");
}

function commandLine(step: HookStep): string {
  if ("shell" in step) return step.shell;
  const words = [step.command, ...(step.args ?? [])];
  return `exec ${words.map(quoteForShell).join(" ")}`;
}

function endsBeforeTimeout(
  process: ManagedProcess,
  { timeoutMs, signal }: Pick<HookEnvironment, "timeoutMs" | "signal">,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isInTime: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(isInTime);
    };
    const onAbort = () => settle(false);
    const timer = setTimeout(onAbort, timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    void process.ended.then(() => settle(true));
  });
}

function describeFailure({ state }: ManagedProcess): string {
  if (state.phase === "running" || state.exitCode === 0) return "";
  if (state.problem !== undefined) return `it could not be started (${state.problem})`;
  return state.exitCode === null
    ? `ended by ${state.signal ?? "a signal"}`
    : `exit code ${state.exitCode}`;
}
