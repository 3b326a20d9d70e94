import { didYouMean } from "../../kernel/nearest.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import type { ThreadInfo } from "../ports/thread-host.ts";

export const resume: SlashCommand = {
  name: "resume",
  argument: { name: "id" },
  summary: "Go on with an earlier thread",
  async run(context, args) {
    const { dialogue, sessions } = context;
    if (sessions?.resume === undefined) {
      dialogue.info(
        "Over the server a client goes on with any thread by sending its messages there: thread.list shows them, thread.subscribe replays what was missed.",
      );
      return;
    }
    const found = findThread(sessions.list(), args, context);
    if (found !== undefined) await sessions.resume(found.threadId);
  },
};

/** By id or the start of one; without an argument the latest other thread. */
function findThread(
  threads: readonly ThreadInfo[],
  wanted: string,
  { dialogue, thread }: SlashCommandContext,
): ThreadInfo | undefined {
  const others = threads.filter((info) => info.threadId !== thread.threadId);
  if (wanted === "") {
    const latest = [...others].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
    if (latest === undefined) dialogue.info("There is no other thread to go on with.");
    return latest;
  }
  const exact = others.find((info) => info.threadId === wanted);
  if (exact !== undefined) return exact;
  const starting = others.filter((info) => info.threadId.startsWith(wanted));
  if (starting.length === 1) return starting[0];
  const ids = others.map((info) => info.threadId);
  if (starting.length > 1) dialogue.error(`Several threads start with "${wanted}".`);
  else dialogue.error(`No thread "${wanted}".${didYouMean(wanted, ids.slice(0, 20))}`, "not_found");
  return undefined;
}
