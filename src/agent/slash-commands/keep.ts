import { keepCandidates } from "../../capture/index.ts";
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
    const { threadId } = context.thread;
    const { memories, text } = await keepCandidates(memory, {
      // Who keeps it has no doubt.
      candidates: offers.map((offer) => ({ ...offer, doubt: undefined })),
      ...{ client: "cairn", threadId, shown: [], signal: context.signal },
    });
    const [first] = memories;
    if (first === undefined) {
      context.dialogue.info("The memory holds that already.");
      return;
    }
    const ids = memories.map(({ id }) => id).join(", ");
    const effect = text.includes("(replaces") || text.includes("(disputes") ? `: ${text}` : "";
    context.dialogue.success(`Remembered as ${ids}${effect}. /forget ${first.id} takes it back.`);
  },
};
