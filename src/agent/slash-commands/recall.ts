import type { SlashCommand } from "../ports/slash-command.ts";
import { memoryOf } from "./memory-of.ts";

export const recall: SlashCommand = {
  name: "recall",
  argument: { name: "query", required: "Say what to look for" },
  summary: "Show what the memory holds about something",
  async run(context, args) {
    const memory = memoryOf(context);
    const { signal } = context;
    const { formatted } = await memory.execute("recall", { query: args }, { signal });
    context.dialogue.print(formatted.trim() || "Nothing was found.");
  },
};
