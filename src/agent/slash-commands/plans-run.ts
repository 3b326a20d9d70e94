import { invalidInput } from "../../shared/errors.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { implementGuide } from "../tasks/implement.prompt.ts";
import { implementTasks } from "../tasks/implement-tasks.ts";
import { passGates } from "../tasks/pass-gates.ts";
import { findPlan, type Plan } from "../tasks/plan-store.ts";
import { hookVariables, surroundingsSection } from "../tasks/task-request.ts";
import { planIdOf, readTasks, type Task } from "../tasks/task-store.ts";

export const plansRun: SlashCommand = {
  name: "plans run",
  argument: { name: "id", required: "Say which plan, by its number" },
  summary: "Implement the open tasks of a plan",
  terminalOnly: true,
  async run(context, args) {
    const { dialogue, projectRoot } = context;
    const plan = await findPlan(projectRoot, args);
    const belongs = (task: Pick<Task, "id">) => planIdOf(task) === plan.id;
    if (!(await readTasks(projectRoot)).some(belongs)) {
      throw invalidInput(`Plan ${plan.id} has no tasks yet: /plans split ${plan.id} makes them.`);
    }
    if (!(await implementTasks(context, { plan, belongs }))) return;
    if (await passPlanGates(context, plan))
      dialogue.success(`Plan ${plan.id} is done: ${plan.name}`);
  },
};

/** Whether the planDone gates are open; their repairs happen on an empty history. */
async function passPlanGates(context: SlashCommandContext, plan: Plan): Promise<boolean> {
  const siblings = (await readTasks(context.projectRoot)).filter(
    (task) => planIdOf(task) === plan.id,
  );
  const systemAddition = `${implementGuide}\n\n${surroundingsSection({ plan, siblings })}`;
  const result = await context.thread.withSeparateHistory(() =>
    passGates(context, { hook: "planDone", variables: hookVariables(plan), systemAddition }),
  );
  if (result.kind === "failed") {
    context.dialogue.error(
      `All tasks of plan ${plan.id} are done, but it was not accepted. ${result.reason}`,
      "plan_failed",
    );
  }
  return result.kind === "passed";
}
