import type { SlashCommand } from "../ports/slash-command.ts";

export const clear: SlashCommand = {
  name: "clear",
  summary: "Start over, with the instructions read again; the conversation stays in /sessions",
  async run({ thread, dialogue }) {
    const hadMessages = thread.messageCount > 0;
    await thread.clearHistory();
    await thread.reloadSystemPrompt();
    const kept = hadMessages ? " The earlier one is in /sessions." : "";
    dialogue.success(`The conversation was cleared.${kept}`);
  },
};
