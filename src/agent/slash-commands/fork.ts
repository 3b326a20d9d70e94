import type { SlashCommand } from "../ports/slash-command.ts";

export const fork: SlashCommand = {
  name: "fork",
  argument: { name: "title" },
  summary: "Go on in a new session with the conversation so far; this one stays as it is",
  immediate: true,
  async run({ dialogue, sessions, threadId }, args) {
    const current = sessions.list().find((info) => info.threadId === threadId);
    if (current === undefined || current.messageCount === 0) {
      dialogue.info("There is no conversation to fork yet.");
      return;
    }
    const forked = await sessions.fork(current.threadId, args === "" ? undefined : args);
    dialogue.success(`Forked as ${forked.threadId}.`);
    await sessions.resume?.(forked.threadId);
  },
};
