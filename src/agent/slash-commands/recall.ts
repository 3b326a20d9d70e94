import type { SlashCommand } from "../ports/slash-command.ts";
import { memoryOf } from "./memory-of.ts";

export const recall: SlashCommand = {
  name: "recall",
  argument: { name: "query", required: "Say what to look for" },
  summary: "Show what the memory holds about something",
  immediate: true,
  async run(context, args) {
    const { dialogue, signal } = context;
    const found = await memoryOf(context).execute("recall", { query: args }, { signal });
    if (dialogue.show !== undefined) dialogue.show({ kind: "recall", query: args, found });
    else dialogue.print(found.formatted.trim() || "Nothing was found.");
  },
};
