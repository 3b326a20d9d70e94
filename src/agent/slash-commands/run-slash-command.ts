import { isCairnError, messageOf } from "../../shared/errors.ts";
import {
  type ImmediateContext,
  type SlashCommand,
  type SlashCommandContext,
  usageOf,
} from "../ports/slash-command.ts";
import { findSlashCommand } from "./find-slash-command.ts";

/**
 * Runs a command. What goes wrong in it becomes one `error` of the dialogue; only a cancel is
 * thrown on, with the reason of the signal.
 */
export async function runSlashCommand(
  context: SlashCommandContext,
  command: SlashCommand,
  args: string,
): Promise<void> {
  await guarded(context, { command, args }, () => command.run(context, args));
}

/** Runs the command that `text` names if it is an immediate one; false: it is not. */
export async function runImmediateCommand(
  context: ImmediateContext,
  text: string,
): Promise<boolean> {
  const { command, args } = findSlashCommand(text, context.commands) ?? {};
  if (command?.immediate !== true || args === undefined) return false;
  await guarded(context, { command, args }, () => command.run(context, args));
  return true;
}

async function guarded(
  { dialogue, signal, surface }: ImmediateContext,
  { command, args }: { readonly command: SlashCommand; readonly args: string },
  run: () => Promise<void>,
): Promise<void> {
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
    await run();
  } catch (error) {
    signal.throwIfAborted();
    dialogue.error(messageOf(error), isCairnError(error) ? error.code : "internal");
  }
}
