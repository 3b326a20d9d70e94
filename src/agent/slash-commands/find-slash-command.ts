import { isCairnError, messageOf } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { AgentPaths } from "../agent-paths.ts";
import {
  type CustomPrompt,
  expandCustomPrompt,
  loadCustomPrompts,
} from "../files/load-custom-prompts.ts";
import type { CommandHelp } from "../ports/dialogue.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import {
  formatUsage,
  type ImmediateContext,
  type SlashCommandContext,
} from "../ports/slash-command.ts";
import { firstSentenceWords } from "./command-words.ts";
import { commandHelp } from "./help.ts";
import { slashCommands } from "./registry.ts";

export interface FoundSlashCommand {
  readonly command: SlashCommand;
  readonly args: string;
}

/** Finds the built-in command of a message; the longest name wins: `/tasks add x`. */
export function findSlashCommand(
  text: string,
  commands: readonly SlashCommand[] = slashCommands,
): FoundSlashCommand | undefined {
  const line = text.trim();
  if (!line.startsWith("/")) return undefined;
  return commands
    .map((command) => ({ command, args: parseArgs(line, command.name) }))
    .filter((found): found is FoundSlashCommand => found.args !== undefined)
    .filter(({ command, args }) => command.exact !== true || args === "")
    .sort((a, b) => b.command.name.length - a.command.name.length)[0];
}

/** Words may be separated by any white space; undefined for another name. */
function parseArgs(line: string, name: string): string | undefined {
  const words = name.split(" ").join("\\s+");
  const match = new RegExp(`^/${words}(?:\\s+([\\s\\S]*))?$`, "i").exec(line);
  return match === null ? undefined : (match[1] ?? "").trim();
}

export async function offeredCommands(
  locations: AgentPaths,
  builtIn: readonly SlashCommand[] = slashCommands,
): Promise<readonly CommandHelp[]> {
  const custom = await loadCustomPrompts(locations, firstSentenceWords(builtIn));
  const own = custom.commands.map(({ name, description }) => ({
    name,
    summary: description ?? "Custom command",
    usage: "[input]",
  }));
  return [...builtIn.map(commandHelp), ...own];
}

type UserMessage =
  | { readonly kind: "command"; readonly command: SlashCommand; readonly args: string }
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "unknown"; readonly message: string };

/** A command is a slash and one word of at most 64 letters, digits, `.`, `_`, `-`. */
export function readUserMessage(
  text: string,
  custom: readonly CustomPrompt[],
  commands: readonly SlashCommand[] = slashCommands,
): UserMessage {
  const match = /^\s*\/([A-Za-z0-9][\w.-]{0,63})(?:\s+([\s\S]*))?$/.exec(text);
  if (match === null) return { kind: "prompt", text };
  const found = findSlashCommand(text, commands);
  if (found !== undefined) return { kind: "command", ...found };
  const name = (match[1] ?? "").toLowerCase();
  const own = custom.find((command) => command.name === name);
  if (own !== undefined) {
    return { kind: "prompt", text: expandCustomPrompt(own, (match[2] ?? "").trim()) };
  }
  return {
    kind: "unknown",
    message: unknownCommand(name, [
      ...firstSentenceWords(commands),
      ...custom.map((own) => own.name),
    ]),
  };
}

function unknownCommand(name: string, known: readonly string[]): string {
  const nearby = didYouMean(name, known);
  const hint = nearby.startsWith(" Did you mean")
    ? nearby.replace('"', '"/')
    : " /help lists them.";
  return `There is no command /${name}.${hint}`;
}

/**
 * Runs a command. An error becomes one `error` of the dialogue; a cancel is rethrown with the
 * signal's reason.
 */
export async function runSlashCommand(
  context: SlashCommandContext,
  command: SlashCommand,
  args: string,
): Promise<void> {
  await catchErrors(context, { command, args }, () => command.run(context, args));
}

/** Runs the command of `text` if it is an immediate one; else returns false. */
export async function runImmediateCommand(
  context: ImmediateContext,
  text: string,
): Promise<boolean> {
  const { command, args } = findSlashCommand(text, context.commands) ?? {};
  if (command?.immediate !== true || args === undefined) return false;
  await catchErrors(context, { command, args }, () => command.run(context, args));
  return true;
}

async function catchErrors(
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
    dialogue.error(`${required}: /${command.name} ${formatUsage(command)}`, "invalid_input");
    return;
  }
  try {
    await run();
  } catch (error) {
    signal.throwIfAborted();
    dialogue.error(messageOf(error), isCairnError(error) ? error.code : "internal");
  }
}
