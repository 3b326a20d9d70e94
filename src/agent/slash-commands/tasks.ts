import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { implementTasks } from "../tasks/implement-tasks.ts";
import { findPlan, type Plan } from "../tasks/plan-store.ts";
import {
  addTasks,
  describeDraft,
  findTask,
  LOOSE_TASKS_PLAN_ID,
  parsePlanId,
  parseTaskDraft,
  readTasks,
  removeTask,
  taskLine,
} from "../tasks/task-store.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { unknownSubcommand } from "./command-words.ts";
import { draftUntilAccepted, withMentions } from "./review.ts";

const draftTask = `# Now: draft one task

The user describes a piece of work. Do not do the work. Explore the project until you can define the task precisely, then reply with one JSON object and nothing else:

{"name": "…", "description": "…", "relatedFiles": ["path"], "acceptanceCriteria": ["…"]}

- name: at most ten words, starts with a verb.
- description: what to do and why, for a reader without this conversation.
- relatedFiles: files to read or change, relative to the project; only existing files and files that the task creates.
- acceptanceCriteria: verifiable statements, preferably with a command.

If the user requests changes, reply with the complete new object.`;

export const tasksAdd: SlashCommand = {
  name: "tasks add",
  argument: { name: "text", required: "Describe the task" },
  summary: "Draft and save a task",
  async run(context, args) {
    const { dialogue, projectRoot, settings, thread } = context;
    const request = await withMentions(context, args);
    const draft = await thread.withSeparateHistory(() =>
      draftUntilAccepted(context, {
        request,
        turn: { tools: readOnlyTools(settings), systemAddition: draftTask },
        words: { accept: "save", revise: "revise" },
        parse: parseTaskDraft,
        preview: describeDraft,
      }),
    );
    if (draft === undefined) return;
    const [task] = await addTasks({
      projectRoot,
      planId: LOOSE_TASKS_PLAN_ID,
      drafts: [draft],
      clock: context.clock,
    });
    if (task !== undefined) dialogue.success(`Task ${task.id} saved: ${task.name}`);
  },
};

export const tasksRm: SlashCommand = {
  name: "tasks rm",
  argument: { name: "id", required: "Enter the id of a task" },
  summary: "Remove a task",
  async run({ dialogue, projectRoot }, args) {
    const removed = await removeTask(projectRoot, args);
    dialogue.success(`Task ${removed.id} removed: ${removed.name}`);
  },
};

export const tasksRun: SlashCommand = {
  name: "tasks run",
  argument: { name: "id" },
  summary: "Implement one task, or all open tasks without a plan",
  terminalOnly: true,
  run: (context, args) => (args === "" ? runLooseTasks(context) : runOneTask(context, args)),
};

async function runLooseTasks(context: SlashCommandContext): Promise<void> {
  const belongs = (task: { readonly id: string }) => parsePlanId(task) === LOOSE_TASKS_PLAN_ID;
  const all = await readTasks(context.projectRoot);
  if (!all.some((task) => belongs(task) && task.status !== "done")) {
    const ofPlans = all.some((task) => task.status !== "done");
    context.dialogue.info(
      ofPlans
        ? "There are no open loose tasks. /plans run <id> does the tasks of a plan."
        : "There are no open tasks. /tasks add <text> creates one.",
    );
    return;
  }
  await implementTasks(context, { plan: undefined, belongs });
}

async function runOneTask(context: SlashCommandContext, id: string): Promise<void> {
  const { dialogue, projectRoot } = context;
  const task = await findTask(projectRoot, id);
  if (task.status === "done") {
    dialogue.info(`Task ${task.id} is done already.`);
    return;
  }
  const planId = parsePlanId(task);
  await implementTasks(context, {
    plan: planId === LOOSE_TASKS_PLAN_ID ? undefined : await requirePlan(projectRoot, planId),
    belongs: (candidate) => parsePlanId(candidate) === planId,
    only: task.id,
  });
}

function requirePlan(projectRoot: string, planId: number): Promise<Plan> {
  return findPlan(projectRoot, String(planId));
}

export const tasks: SlashCommand = {
  name: "tasks",
  summary: "List the tasks of this project",
  async run({ dialogue, projectRoot }, args) {
    if (args !== "") throw unknownSubcommand("tasks", args, ["add", "run", "rm"]);
    const all = await readTasks(projectRoot);
    if (all.length === 0) {
      dialogue.info("There are no tasks yet. /tasks add <text> creates one.");
      return;
    }
    const done = all.filter((task) => task.status === "done").length;
    dialogue.print([...all.map(taskLine), "", `${done} of ${all.length} done`].join("\n"));
  },
};
