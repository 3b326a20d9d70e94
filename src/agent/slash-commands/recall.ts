import type { SlashCommand } from "../ports/slash-command.ts";
import { memoryOf } from "./memory-of.ts";

export const recall: SlashCommand = {
  name: "recall",
  usage: "<query>",
  summary: "Show what the memory holds about something",
  async run(context, args) {
    const memory = memoryOf(context);
    if (args === "") {
      context.dialogue.error("Say what to look for: /recall <query>", "invalid_input");
      return;
    }
    const { signal } = context;
    const { formatted } = await memory.execute("recall", { query: args }, { signal });
    context.dialogue.print(formatted.trim() || "Nothing was found.");
  },
};
