import type { SlashCommand } from "../ports/slash-command.ts";
import { removeTask } from "../tasks/task-store.ts";

export const tasksRm: SlashCommand = {
  name: "tasks rm",
  usage: "<id>",
  summary: "Remove a task",
  async run({ dialogue, projectRoot }, args) {
    if (args === "") {
      dialogue.error("Say which task: /tasks rm <id>", "invalid_input");
      return;
    }
    const removed = await removeTask(projectRoot, args);
    dialogue.success(`Task ${removed.id} removed: ${removed.name}`);
  },
};
