import { z } from "zod";
import { findJson } from "../documents/find-json.ts";
import type { AttemptResult } from "../ports/project-tasks.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { verifyGuide } from "./implement.prompt.ts";
import { surroundingsSection, type TaskSurroundings, taskRequest } from "./task-request.ts";
import type { Task } from "./task-store.ts";

const verdict = z.looseObject({
  criteria: z
    .array(
      z.looseObject({
        criterion: z.string(),
        met: z.boolean(),
        evidence: z.string().default(""),
      }),
    )
    .min(1),
});

/** Has the model check every acceptance criterion on an empty history, with tools that only look. */
export function verifyTask(
  context: SlashCommandContext,
  task: Task,
  surroundings: TaskSurroundings,
): Promise<AttemptResult> {
  if (task.acceptanceCriteria.length === 0) return Promise.resolve({ kind: "passed" });
  const turn = {
    tools: readOnlyTools(context.settings, ["shell", "shell_status"]),
    systemAddition: `${verifyGuide}\n\n${surroundingsSection(surroundings, task)}`,
  };
  return context.thread.withSeparateHistory(async () => {
    let message = taskRequest(task);
    for (const isLast of [false, true]) {
      const { outcome, text } = await context.thread.runTurn(message, turn);
      context.signal.throwIfAborted();
      if (outcome !== "completed") return { kind: "stopped" };
      const result = readVerdict(text);
      if (result !== undefined) return result;
      if (isLast) break;
      message = 'Answer again, with the JSON object {"criteria": […]} and nothing else.';
    }
    return { kind: "failed", reason: "The acceptance criteria could not be verified." };
  });
}

function readVerdict(answer: string): AttemptResult | undefined {
  for (const value of findJson(answer)) {
    const read = verdict.safeParse(value);
    if (!read.success) continue;
    const unmet = read.data.criteria.filter((criterion) => !criterion.met);
    if (unmet.length === 0) return { kind: "passed" };
    const lines = unmet.map(({ criterion, evidence }) => `- ${criterion}: ${evidence}`);
    return { kind: "failed", reason: `Not met:\n${lines.join("\n")}` };
  }
  return undefined;
}
