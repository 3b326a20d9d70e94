import type { SlashCommand } from "../ports/slash-command.ts";

export const clear: SlashCommand = {
  name: "clear",
  summary: "Start over, with the instructions read again",
  async run({ thread, dialogue }) {
    await thread.clearHistory();
    await thread.reloadSystemPrompt();
    dialogue.success("The conversation was cleared.");
  },
};
