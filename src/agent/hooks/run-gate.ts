import type { AgentSettings } from "../settings.ts";
import { type HookOutcome, type HookSurroundings, runHookStep } from "./run-hook-step.ts";

type Gate = AgentSettings["hooks"]["taskDone"][number];

export interface GateRun extends HookSurroundings {
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
