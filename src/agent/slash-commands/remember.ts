import type { SlashCommand } from "../ports/slash-command.ts";
import { writableMemoryOf } from "./memory-of.ts";

export const remember: SlashCommand = {
  name: "remember",
  argument: { name: "text", required: "Say what to remember" },
  summary: "Keep something in the memory of this project",
  async run(context, args) {
    const memory = writableMemoryOf(context);
    const { threadId } = context.thread;
    const { id } = await memory.execute(
      "remember",
      { content: args, asserted_by: "user", source_type: "slash_command" },
      { session: threadId, signal: context.signal, surface: "agent" },
    );
    context.dialogue.success(`Remembered as ${id}. /forget ${id} takes it back.`);
  },
};
