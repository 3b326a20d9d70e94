import type { SlashCommand } from "../ports/slash-command.ts";
import { removeTask } from "../tasks/task-store.ts";

export const tasksRm: SlashCommand = {
  name: "tasks rm",
  argument: { name: "id", required: "Say which task" },
  summary: "Remove a task",
  async run({ dialogue, projectRoot }, args) {
    const removed = await removeTask(projectRoot, args);
    dialogue.success(`Task ${removed.id} removed: ${removed.name}`);
  },
};
