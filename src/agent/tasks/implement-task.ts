import { z } from "zod";
import { fence } from "../documents/fence.ts";
import { findJson } from "../documents/find-json.ts";
import type { AttemptResult } from "../ports/project-tasks.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { implementGuide, verifyGuide } from "./implement.prompt.ts";
import { passGates } from "./pass-gates.ts";
import {
  hookVariables,
  surroundingsSection,
  type TaskSurroundings,
  taskRequest,
} from "./task-request.ts";
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
function verifyTask(
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

/**
 * Full cycles of work, gates and, in plan mode "goals", verification, each on an empty history,
 * until one passes or `taskImplementationMaxAttempts` are used up.
 */
export async function implementTask(
  context: SlashCommandContext,
  task: Task,
  surroundings: TaskSurroundings,
  interrupted?: string,
): Promise<AttemptResult> {
  const attempts = context.settings.taskImplementationMaxAttempts;
  let result: AttemptResult = { kind: "stopped" };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const earlier = result.kind === "failed" ? result.reason : interrupted;
    if (attempt > 1) {
      context.dialogue.info(`Task ${task.id}: attempt ${attempt} of ${attempts}.`);
    }
    result = await runCycle(context, task, { surroundings, earlier });
    if (result.kind !== "failed") return result;
  }
  return result;
}

const NOT_DONE = /^[ \t>*_`]*NOT DONE:[ \t]*(.+)$/im;

interface Cycle {
  readonly surroundings: TaskSurroundings;
  /** Why the cycle before failed. */
  readonly earlier: string | undefined;
}

async function runCycle(
  context: SlashCommandContext,
  task: Task,
  { surroundings, earlier }: Cycle,
): Promise<AttemptResult> {
  const worked = await context.thread.withSeparateHistory(async (): Promise<AttemptResult> => {
    const systemAddition = `${implementGuide}\n\n${surroundingsSection(surroundings, task)}`;
    const message = earlier === undefined ? taskRequest(task) : afterFailure(task, earlier);
    const turn = await context.thread.runTurn(message, { systemAddition });
    context.signal.throwIfAborted();
    if (turn.outcome !== "completed") return { kind: "stopped" };
    const impossible = NOT_DONE.exec(turn.text)?.[1];
    if (impossible !== undefined) return { kind: "impossible", reason: impossible.trim() };
    const variables = hookVariables(surroundings.plan, task);
    return passGates(context, { hook: "taskDone", variables, systemAddition });
  });
  if (worked.kind !== "passed" || context.settings.planMode !== "goals") return worked;
  const verified = await verifyTask(context, task, surroundings);
  if (verified.kind === "failed") context.dialogue.info(`Task ${task.id}: ${verified.reason}`);
  return verified;
}

function afterFailure(task: Task, reason: string): string {
  return `${taskRequest(task)}\n\nAn earlier attempt is in the files already and was not accepted. Find out what it left, and repair or finish it.\n\n${fence("result", reason)}`;
}
