import { isPlainObject } from "../../kernel/json.ts";
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
    const recalled = await memory.execute("recall", { query: args }, { signal: context.signal });
    const formatted = isPlainObject(recalled) ? recalled.formatted : undefined;
    const text = typeof formatted === "string" ? formatted.trim() : "";
    context.dialogue.print(text === "" ? "Nothing was found." : text);
  },
};
