import type { SlashCommand } from "../ports/slash-command.ts";
import type { ThreadInfo } from "../ports/thread-host.ts";

export const sessions: SlashCommand = {
  name: "sessions",
  summary: "List the threads of this project, to go on with one",
  immediate: true,
  async run({ dialogue, sessions: others, threadId }) {
    if (others.pick !== undefined) {
      others.pick();
      return;
    }
    const threads = [...others.list()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    if (threads.length === 0) {
      dialogue.info("There are no other threads.");
      return;
    }
    dialogue.print(threads.map((info) => sessionLine(info, threadId)).join("\n"));
  },
};

function sessionLine(info: ThreadInfo, current: string | undefined): string {
  const marks = [
    ...(info.threadId === current ? ["this one"] : []),
    ...(info.isRunning ? ["running"] : []),
    ...(info.pendingPrompt === undefined ? [] : ["waits for a reply"]),
  ];
  const note = marks.length === 0 ? "" : ` [${marks.join(", ")}]`;
  const when = info.updatedAt.slice(0, 16).replace("T", " ");
  return `${info.threadId}  ${when}  ${info.messageCount} messages  ${info.title ?? ""}${note}`;
}
