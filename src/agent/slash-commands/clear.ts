import type { SlashCommand } from "./slash-command.ts";

export const clear: SlashCommand = {
  name: "clear",
  summary: "Forget this conversation and read the instructions from disk again",
  async run({ thread, dialogue }) {
    await thread.clearHistory();
    await thread.reloadSystemPrompt();
    dialogue.success("The conversation was cleared.");
  },
};
