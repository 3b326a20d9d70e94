import type { SlashCommand } from "../ports/slash-command.ts";
import { taskLine } from "../tasks/describe-task.ts";
import { readTasks } from "../tasks/task-store.ts";
import { unknownSubcommand } from "./unknown-subcommand.ts";

export const tasks: SlashCommand = {
  name: "tasks",
  summary: "List the tasks of this project",
  async run({ dialogue, projectRoot }, args) {
    if (args !== "") throw unknownSubcommand("tasks", args, ["add", "run", "rm"]);
    const all = await readTasks(projectRoot);
    if (all.length === 0) {
      dialogue.info("There are no tasks yet. /tasks add <text> makes one.");
      return;
    }
    const done = all.filter((task) => task.status === "done").length;
    dialogue.print([...all.map(taskLine), "", `${done} of ${all.length} done`].join("\n"));
  },
};
