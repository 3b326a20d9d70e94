import { type ChildProcess, spawn } from "node:child_process";
import { messageOf } from "../../kernel/errors.ts";
import { randomIds } from "../../kernel/ids.ts";
import { killGroupNow, killTree } from "../processes/kill-tree.ts";
import { OutputRing } from "../processes/output-ring.ts";

/** Carried by everything that a hook starts, so that it is found again. */
const MARKER = "CAIRN_PROCESS_TREE";

/** Lets what the pipes still hold arrive after the exit; milliseconds. */
const DRAIN_MS = 50;

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
  /** Why it is not ok: `exit code 1`, `it did not end within 600000 ms`. Empty when it is. */
  readonly reason: string;
  /** Standard output and error as they came; of a long one the first and the last part. */
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
  const output = new OutputRing();
  const marker = randomIds.next("h");
  const child = start(step, { ...variables, [MARKER]: marker }, surroundings);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => output.add(chunk));
  }
  const reason = await waitForEnd(child, `${MARKER}=${marker}`, surroundings);
  surroundings.signal.throwIfAborted();
  return { step: describeStep(step), ok: reason === "", reason, output: output.text().trimEnd() };
}

function describeStep(step: HookStep): string {
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

/** Why the step failed, or an empty string. Resolves once everything that it started is gone. */
async function waitForEnd(
  child: ChildProcess,
  marker: string,
  { timeoutMs, signal }: HookSurroundings,
): Promise<string> {
  const onParentExit = () => child.pid !== undefined && killGroupNow(child.pid);
  process.once("exit", onParentExit);
  const end = deadline(timeoutMs, signal);
  try {
    const reason = await Promise.race([ended(child), end.reached]);
    if (child.pid !== undefined) await killTree({ groupIds: [child.pid], marker });
    return reason;
  } finally {
    end.clear();
    process.off("exit", onParentExit);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`it could not be started (${messageOf(error)})`));
    child.once("close", (code, signal) => resolve(reasonOf(code, signal)));
    // What a hook left in the background keeps the pipes open: the hook itself is done.
    child.once("exit", (code, signal) => {
      setTimeout(() => resolve(reasonOf(code, signal)), DRAIN_MS);
    });
  });
}

function deadline(timeoutMs: number, signal: AbortSignal) {
  const { promise: reached, resolve } = withResolvers<string>();
  const onAbort = () => resolve("it was cancelled");
  const timer = setTimeout(() => resolve(`it did not end within ${timeoutMs} ms`), timeoutMs);
  signal.addEventListener("abort", onAbort, { once: true });
  const clear = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  };
  return { reached, clear };
}

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function reasonOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === 0) return "";
  return code === null ? `ended by ${signal ?? "a signal"}` : `exit code ${code}`;
}
