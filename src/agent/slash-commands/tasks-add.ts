import type { SlashCommand } from "../ports/slash-command.ts";
import { describeDraft } from "../tasks/describe-task.ts";
import { parseTaskDraft } from "../tasks/parse-task-json.ts";
import { addTasks, LOOSE_TASKS } from "../tasks/task-store.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { draftTask } from "./draft-task.prompt.ts";
import { draftUntilAccepted } from "./draft-until-accepted.ts";
import { withMentions } from "./with-mentions.ts";

export const tasksAdd: SlashCommand = {
  name: "tasks add",
  argument: { name: "text", required: "Say what the task is" },
  summary: "Draft a task from a description, and save it",
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
      planId: LOOSE_TASKS,
      drafts: [draft],
      clock: context.clock,
    });
    if (task !== undefined) dialogue.success(`Task ${task.id} saved: ${task.name}`);
  },
};
