import { isCairnError, messageOf } from "../../kernel/errors.ts";
import { type SlashCommand, type SlashCommandContext, usageOf } from "../ports/slash-command.ts";

/**
 * Runs a command. What goes wrong in it becomes one `error` of the dialogue; only a cancel is
 * thrown on, with the reason of the signal.
 */
export async function runSlashCommand(
  context: SlashCommandContext,
  command: SlashCommand,
  args: string,
): Promise<void> {
  const { dialogue, signal, surface } = context;
  if (command.terminalOnly === true && surface === "server") {
    dialogue.error(`/${command.name} is terminal-only: run it in the terminal.`, "terminal_only");
    return;
  }
  const required = command.argument?.required;
  if (required !== undefined && args === "") {
    dialogue.error(`${required}: /${command.name} ${usageOf(command)}`, "invalid_input");
    return;
  }
  try {
    await command.run(context, args);
  } catch (error) {
    signal.throwIfAborted();
    dialogue.error(messageOf(error), isCairnError(error) ? error.code : "internal");
  }
}
