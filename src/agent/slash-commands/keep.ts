import { hasEffect, keptText } from "../../ingest/capture/index.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import { writableMemoryOf } from "./memory-of.ts";

export const keep: SlashCommand = {
  name: "keep",
  argument: { name: "numbers" },
  summary: "Keep in memory what the agent offered at the end of its work: all of it, or by number",
  async run(context, args) {
    const { dialogue, thread } = context;
    writableMemoryOf(context);
    const result = await thread.keepOffers(args.match(/\d+/g)?.map(Number));
    if (result === undefined) {
      dialogue.info("Nothing is offered.");
      return;
    }
    const { kept, change } = result;
    const [first] = kept;
    if (first === undefined) {
      dialogue.info("The memory holds that already.");
      return;
    }
    const remembered = `Remembered as ${kept.map(({ id }) => id).join(", ")}`;
    // To forget the new one would not bring back what it replaced.
    if (hasEffect(kept) && change !== undefined) {
      dialogue.success(`${remembered}: ${keptText(kept)}. \`cairn undo ${change}\` takes it back.`);
    } else dialogue.success(`${remembered}. /forget ${first.id} takes it back.`);
  },
};
