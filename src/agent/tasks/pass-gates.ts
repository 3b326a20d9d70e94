import { fence } from "../documents/fence.ts";
import { type HookEnvironment, type HookOutcome, runHookStep } from "../hooks/run-hook-step.ts";
import { describeHookFailure } from "../hooks/run-stop-hooks.ts";
import type { AttemptResult } from "../ports/project-tasks.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import type { AgentSettings } from "../settings.ts";

export interface Gates extends Pick<GateRun, "hook" | "variables"> {
  readonly systemAddition: string;
}

/** After a repair all gates run again, since it may break an earlier one. */
export async function passGates(
  context: SlashCommandContext,
  { hook, variables, systemAddition }: Gates,
): Promise<AttemptResult> {
  const { dialogue, settings, signal, thread } = context;
  const gates = settings.hooks[hook];
  const failures = gates.map(() => 0);
  for (let index = 0; index < gates.length; ) {
    const gate = gates[index];
    if (gate === undefined) break;
    const failed = await runGate({
      ...context,
      hook,
      gate,
      variables,
      cwd: context.projectRoot,
      timeoutMs: settings.hookTimeoutMs,
    });
    if (failed === undefined) {
      index += 1;
      continue;
    }
    const failure = describeHookFailure(hook, failed);
    dialogue.info(failure);
    const count = (failures[index] ?? 0) + 1;
    failures[index] = count;
    if (count >= gate.maxAttempts) return { kind: "failed", reason: failure };
    const message = `The work is not accepted yet. Find and fix the cause.\n\n${fence("hook", failure)}`;
    const turn = await thread.runTurn(message, { systemAddition });
    signal.throwIfAborted();
    if (turn.outcome !== "completed") return { kind: "stopped" };
    index = 0;
  }
  return { kind: "passed" };
}

type Gate = AgentSettings["hooks"]["taskDone"][number];

interface GateRun extends HookEnvironment {
  readonly hook: "taskDone" | "planDone";
  readonly gate: Gate;
  /** The task and the plan: `CAIRN_TASK_ID`, `CAIRN_TASK_NAME`, `CAIRN_PLAN_ID`, `CAIRN_PLAN_NAME`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Runs the steps of a gate until one fails; returns the failure. */
export async function runGate(run: GateRun): Promise<HookOutcome | undefined> {
  const variables = { ...run.variables, CAIRN_HOOK: run.hook, CAIRN_CWD: run.cwd };
  for (const step of run.gate.steps) {
    const outcome = await runHookStep(step, variables, run);
    if (!outcome.ok) return outcome;
  }
  return undefined;
}
