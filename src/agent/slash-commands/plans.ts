import type { SlashCommand } from "../ports/slash-command.ts";
import { taskLine } from "../tasks/describe-task.ts";
import { findPlan, type Plan, readPlans } from "../tasks/plan-store.ts";
import { planIdOf, readTasks, type Task } from "../tasks/task-store.ts";
import { unknownSubcommand } from "./unknown-subcommand.ts";

export const plans: SlashCommand = {
  name: "plans",
  argument: { name: "id" },
  summary: "List the plans, or show one",
  async run({ dialogue, projectRoot }, args) {
    const tasks = await readTasks(projectRoot);
    if (/^\d+$/.test(args)) {
      dialogue.print(describePlan(await findPlan(projectRoot, args), tasks));
      return;
    }
    if (args !== "") throw unknownSubcommand("plans", args, ["split", "microsplit", "run"]);
    const all = await readPlans(projectRoot);
    if (all.length === 0) dialogue.info("There are no plans yet. /plan makes one.");
    else dialogue.print(all.map((plan) => planLine(plan, tasks)).join("\n"));
  },
};

function planLine(plan: Plan, tasks: readonly Task[]): string {
  const own = tasks.filter((task) => planIdOf(task) === plan.id);
  const done = own.filter((task) => task.status === "done").length;
  const state = own.length === 0 ? "no tasks yet" : `${done} of ${own.length} tasks done`;
  return `${plan.id}  ${plan.name} (${state}): ${plan.description}`;
}

function describePlan(plan: Plan, tasks: readonly Task[]): string {
  const own = tasks.filter((task) => planIdOf(task) === plan.id).map(taskLine);
  const list = own.length === 0 ? [] : ["", ...own];
  return [`${plan.id}  ${plan.name}`, plan.description, "", plan.approach, ...list].join("\n");
}
