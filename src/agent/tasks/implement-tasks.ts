import { z } from "zod";
import { fence } from "../documents/fence.ts";
import { findJson } from "../documents/find-json.ts";
import type { ProgressItem } from "../ports/dialogue.ts";
import type { AttemptResult } from "../ports/project-tasks.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { implementGuide, verifyGuide } from "./implement.prompt.ts";
import { passGates } from "./pass-gates.ts";
import type { Plan } from "./plan-store.ts";
import {
  formatContextSection,
  hookVariables,
  type TaskContext,
  taskRequest,
} from "./plan-store.ts";
import { readTasks, setTaskStatus, type Task } from "./task-store.ts";

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

/** The model checks each acceptance criterion on an empty history with read-only tools. */
function verifyTask(
  context: SlashCommandContext,
  task: Task,
  surroundings: TaskContext,
): Promise<AttemptResult> {
  if (task.acceptanceCriteria.length === 0) return Promise.resolve({ kind: "passed" });
  const turn = {
    tools: readOnlyTools(context.settings, ["shell", "shell_status"]),
    systemAddition: `${verifyGuide}\n\n${formatContextSection(surroundings, task)}`,
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

/** Repeats work, gates and verification until one attempt passes or all are used up. */
export async function implementTask(
  context: SlashCommandContext,
  task: Task,
  surroundings: TaskContext,
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
  readonly surroundings: TaskContext;
  readonly earlier: string | undefined;
}

async function runCycle(
  context: SlashCommandContext,
  task: Task,
  { surroundings, earlier }: Cycle,
): Promise<AttemptResult> {
  const worked = await context.thread.withSeparateHistory(async (): Promise<AttemptResult> => {
    const systemAddition = `${implementGuide}\n\n${formatContextSection(surroundings, task)}`;
    const message = earlier === undefined ? taskRequest(task) : handleFailure(task, earlier);
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

function handleFailure(task: Task, reason: string): string {
  return `${taskRequest(task)}\n\nAn earlier attempt is in the files already and was not accepted. Find out what it left, and repair or finish it.\n\n${fence("result", reason)}`;
}

export interface TasksToImplement {
  readonly plan: Plan | undefined;
  readonly belongs: (task: Task) => boolean;
  readonly only?: string;
}

export async function implementTasks(
  context: SlashCommandContext,
  { plan, belongs, only }: TasksToImplement,
): Promise<boolean> {
  const { projectRoot, dialogue } = context;
  const open = runInOrder((await readTasks(projectRoot)).filter(belongs)).filter(
    (task) => only === undefined || task.id === only,
  );
  const states = new Map<string, ProgressItem["state"]>(open.map((task) => [task.id, "waiting"]));
  const show = (task: Task, state: ProgressItem["state"]) => {
    states.set(task.id, state);
    showProgress(context, open, states);
  };
  for (const { id } of open) {
    // Read again: the file may have changed since the task before.
    const siblings = (await readTasks(projectRoot)).filter(belongs);
    const task = siblings.find((candidate) => candidate.id === id);
    if (task === undefined || task.status === "done") continue;
    await setTaskStatus(projectRoot, { id, status: "in-progress", clock: context.clock });
    show(task, "running");
    const result = await implementTask(context, task, { plan, siblings });
    if (result.kind !== "passed") {
      show(task, "failed");
      reportStop(context, task, "reason" in result ? result.reason : undefined);
      return false;
    }
    await setTaskStatus(projectRoot, { id, status: "done", clock: context.clock });
    show(task, "done");
    dialogue.success(`Task ${id} is done: ${task.name}`);
  }
  return true;
}

function runInOrder(tasks: readonly Task[]): readonly Task[] {
  return [
    ...tasks.filter((task) => task.status === "in-progress"),
    ...tasks.filter((task) => task.status === "pending"),
  ];
}

function showProgress(
  { dialogue }: SlashCommandContext,
  tasks: readonly Task[],
  states: ReadonlyMap<string, ProgressItem["state"]>,
): void {
  const items = tasks.map((task) => ({
    id: task.id,
    label: task.name,
    state: states.get(task.id) ?? "waiting",
  }));
  if (dialogue.progress !== undefined) dialogue.progress(items);
  else dialogue.info(items.map((item) => `${item.id} ${item.state}: ${item.label}`).join("\n"));
}

function reportStop(
  { dialogue, settings }: SlashCommandContext,
  task: Task,
  reason: string | undefined,
): void {
  if (reason === undefined) {
    dialogue.info(`Stopped at task ${task.id}, which stays in progress.`);
    return;
  }
  const attempts = settings.taskImplementationMaxAttempts;
  dialogue.error(
    `Task ${task.id} (${task.name}) is not done after ${attempts} attempts and stays in progress. ${reason}`,
    "task_failed",
  );
}
