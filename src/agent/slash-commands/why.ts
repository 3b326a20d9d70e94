import type { SlashCommand } from "../ports/slash-command.ts";
import { whyLine, whyText } from "../why/why-line.ts";

export const why: SlashCommand = {
  name: "why",
  argument: { name: "file:line", required: "Name a line, such as src/pay.ts:12" },
  summary: "Show the session, prompt, decision and commit behind a line",
  immediate: true,
  async run(context, args) {
    context.dialogue.print(whyText(await whyLine(context, args)));
  },
};
