import type { SlashCommand } from "../ports/slash-command.ts";

export const model: SlashCommand = {
  name: "model",
  argument: { name: "name" },
  summary: "Show or change the model of this thread",
  async run({ thread, dialogue }, args) {
    if (args === "") {
      dialogue.info(`The model is ${thread.model}. /model <name> changes it for this thread.`);
      return;
    }
    await thread.setModel(args);
    dialogue.success(`The model is ${thread.model} from the next message on.`);
  },
};
