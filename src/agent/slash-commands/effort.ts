import { EFFORTS } from "../../llm/index.ts";
import type { SlashCommand } from "../ports/slash-command.ts";

export const effort: SlashCommand = {
  name: "effort",
  argument: { name: EFFORTS.join("|") },
  summary: "Show or change how much the model thinks",
  async run({ thread, dialogue }, args) {
    if (args === "") {
      const now = thread.effort ?? "what the provider takes by itself";
      dialogue.info(`The effort is ${now}. /effort ${EFFORTS.join("|")} changes it here.`);
      return;
    }
    const wanted = EFFORTS.find((one) => one === args.toLowerCase());
    if (wanted === undefined) {
      dialogue.error(`"${args}" is not an effort: ${EFFORTS.join(", ")}.`, "invalid_input");
      return;
    }
    await thread.setEffort(wanted);
    dialogue.success(`The effort is ${wanted} from the next message on.`);
  },
};
