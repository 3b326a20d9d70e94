import type { SlashCommand } from "../ports/slash-command.ts";
import { writableMemoryOf } from "./memory-of.ts";

export const forget: SlashCommand = {
  name: "forget",
  argument: { name: "ep:N", required: "Name the episode to forget" },
  summary: "Take back something that was remembered",
  async run(context, args) {
    const memory = writableMemoryOf(context);
    if (!/^ep:\d+$/.test(args)) {
      context.dialogue.error("Name the episode to forget: /forget ep:12", "invalid_input");
      return;
    }
    await memory.execute(
      "delete_episode",
      { episode_id: args },
      {
        signal: context.signal,
        session: context.thread.threadId,
        surface: "agent",
      },
    );
    context.dialogue.success(`Forgot ${args}. \`cairn restore ${args}\` brings it back.`);
  },
};
