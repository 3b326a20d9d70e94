import type { SlashCommand } from "./slash-command.ts";

export const clear: SlashCommand = {
  name: "clear",
  summary: "Start over, with the instructions read again",
  async run({ thread, dialogue }) {
    await thread.clearHistory();
    await thread.reloadSystemPrompt();
    dialogue.success("The conversation was cleared.");
  },
};
