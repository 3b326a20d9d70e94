import { fence } from "../documents/fence.ts";
import { type GateRun, runGate } from "../hooks/run-gate.ts";
import { describeHookFailure } from "../hooks/run-stop-hooks.ts";
import type { AttemptResult } from "../ports/project-tasks.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";

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
