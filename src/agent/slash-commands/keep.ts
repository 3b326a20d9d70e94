import type { SlashCommand } from "../ports/slash-command.ts";
import { writableMemoryOf } from "./memory-of.ts";

export const keep: SlashCommand = {
  name: "keep",
  argument: { name: "numbers" },
  summary: "Keep in memory what the agent offered at the end of its work: all of it, or by number",
  async run(context, args) {
    const memory = writableMemoryOf(context);
    const wanted = args.match(/\d+/g)?.map(Number);
    const offers = context.thread.takeOffers(wanted);
    if (offers.length === 0) {
      context.dialogue.info("Nothing is offered.");
      return;
    }
    const ops = offers.map(({ content, episodeType, entities, assertedBy }) => ({
      op: "remember",
      content,
      episode_type: episodeType,
      ...(entities.length > 0 && { entities }),
      asserted_by: assertedBy === "user" ? "user" : "cairn",
      source_type: "offer",
    }));
    const { results } = await memory.execute(
      "apply",
      { changeset: JSON.stringify(ops) },
      { signal: context.signal, session: context.thread.threadId, surface: "agent" },
    );
    const ids = results.flatMap(({ id }) => id ?? []);
    context.dialogue.success(`Remembered as ${ids.join(", ")}. /forget ${ids[0]} takes it back.`);
  },
};
