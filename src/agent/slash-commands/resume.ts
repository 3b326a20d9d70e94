import type { SlashCommand } from "../ports/slash-command.ts";
import { findThread } from "./find-thread.ts";

export const resume: SlashCommand = {
  name: "resume",
  argument: { name: "id" },
  summary: "Go on with an earlier thread",
  immediate: true,
  async run({ dialogue, sessions, surface, threadId }, args) {
    if (sessions.resume === undefined) {
      dialogue.info(surface === "server" ? SERVER_WAY : COMMAND_WAY);
      return;
    }
    const others = sessions.list().filter((info) => info.threadId !== threadId);
    if (args !== "") await sessions.resume(findThread(others, args).threadId);
    else if (sessions.pick !== undefined) sessions.pick();
    else {
      const latest = [...others].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
      if (latest === undefined) dialogue.info("There is no other thread to go on with.");
      else await sessions.resume(latest.threadId);
    }
  },
};

const SERVER_WAY =
  "Over the server a client goes on with any thread by sending its messages there: thread.list shows them, thread.subscribe replays what was missed.";
const COMMAND_WAY =
  "A single message goes on with an earlier thread by cairn --resume ID; /sessions lists them.";
