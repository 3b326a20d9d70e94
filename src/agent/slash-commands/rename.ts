import type { SlashCommand } from "../ports/slash-command.ts";

export const rename: SlashCommand = {
  name: "rename",
  argument: { name: "title", required: "Say how the session is to be called" },
  summary: "Give this session another title",
  immediate: true,
  async run({ dialogue, sessions, threadId }, args) {
    if (threadId === undefined) {
      dialogue.info("There is no session to rename yet.");
      return;
    }
    await sessions.rename(threadId, args);
    dialogue.success(`This session is called "${args}" now.`);
  },
};
