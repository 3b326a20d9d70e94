import type { AgentSettings } from "../settings.ts";
import { type HookEnvironment, type HookOutcome, runHookStep } from "./run-hook-step.ts";

export interface StopHookRun extends HookEnvironment {
  readonly hooks: AgentSettings["hooks"]["stop"];
  readonly threadId: string;
}

/** Runs every stop hook in order after a completed turn and returns the failures. */
export async function runStopHooks(run: StopHookRun): Promise<readonly HookOutcome[]> {
  const variables = {
    CAIRN_HOOK: "stop",
    CAIRN_CWD: run.cwd,
    CAIRN_THREAD_ID: run.threadId,
  };
  const failures: HookOutcome[] = [];
  for (const hook of run.hooks) {
    const outcome = await runHookStep(hook, variables, run);
    if (!outcome.ok) failures.push(outcome);
  }
  return failures;
}

export function describeHookFailure(hook: string, outcome: HookOutcome): string {
  const sentence = `The ${hook} hook "${outcome.step}" failed: ${outcome.reason}.`;
  return outcome.output === "" ? sentence : `${sentence}\n${outcome.output}`;
}
