import type { SlashCommand } from "../ports/slash-command.ts";

export const handover: SlashCommand = {
  name: "handover",
  argument: { name: "prompt" },
  summary: "Summarize the conversation and continue from the summary",
  async run({ thread, dialogue }, args) {
    if (thread.messageCount === 0) {
      dialogue.info("There is no conversation to hand over yet.");
      return;
    }
    if (args !== "") {
      await thread.runTurn(args, { expandMentions: true, afresh: true });
      return;
    }
    const result = await thread.handover();
    if (result.outcome === "completed") dialogue.success("Going on from the summary.");
  },
};

export const clear: SlashCommand = {
  name: "clear",
  summary: "Start a new session and reload the instructions",
  async run({ thread, dialogue }) {
    const hadMessages = thread.messageCount > 0;
    await thread.clearHistory();
    await thread.reloadSystemPrompt();
    const stored = hadMessages ? " The earlier one is in /sessions." : "";
    dialogue.success(`The conversation was cleared.${stored}`);
  },
};
