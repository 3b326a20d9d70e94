import { didYouMean } from "../../shared/nearest.ts";
import {
  type CustomPrompt,
  expandCustomPrompt,
  loadCustomPrompts,
} from "../files/load-custom-prompts.ts";
import type { AgentPlaces } from "../places.ts";
import type { CommandHelp } from "../ports/dialogue.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import { firstWords } from "./command-words.ts";
import { commandHelp } from "./help.ts";
import { slashCommands } from "./registry.ts";

export interface FoundSlashCommand {
  readonly command: SlashCommand;
  readonly args: string;
}

/** The built-in command that a message names, the longest name first: `/tasks add x`. */
export function findSlashCommand(
  text: string,
  commands: readonly SlashCommand[] = slashCommands,
): FoundSlashCommand | undefined {
  const line = text.trim();
  if (!line.startsWith("/")) return undefined;
  return commands
    .map((command) => ({ command, args: argsAfter(line, command.name) }))
    .filter((found): found is FoundSlashCommand => found.args !== undefined)
    .filter(({ command, args }) => command.exact !== true || args === "")
    .sort((a, b) => b.command.name.length - a.command.name.length)[0];
}

/** The text after `/name`, whose words may be apart by any white space; undefined: another name. */
function argsAfter(line: string, name: string): string | undefined {
  const words = name.split(" ").join("\\s+");
  const match = new RegExp(`^/${words}(?:\\s+([\\s\\S]*))?$`, "i").exec(line);
  return match === null ? undefined : (match[1] ?? "").trim();
}

/** These commands and the user's own, for a surface that completes them. */
export async function offeredCommands(
  places: AgentPlaces,
  builtIn: readonly SlashCommand[] = slashCommands,
): Promise<readonly CommandHelp[]> {
  const custom = await loadCustomPrompts(places, firstWords(builtIn));
  const own = custom.commands.map(({ name, description }) => ({
    name,
    summary: description ?? "Your own command",
    usage: "[input]",
  }));
  return [...builtIn.map(commandHelp), ...own];
}

type UserMessage =
  | { readonly kind: "command"; readonly command: SlashCommand; readonly args: string }
  /** For the model: as typed, or the prompt of a custom command. */
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "unknown"; readonly message: string };

/**
 * What a message on an idle thread asks for. A first word such as `/usr/bin` or `/` alone is text:
 * a command is a slash and one word of at most 64 letters, digits, `.`, `_`, `-`.
 */
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
    message: unknownCommand(name, [...firstWords(commands), ...custom.map((own) => own.name)]),
  };
}

function unknownCommand(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  const hint = near.startsWith(" Did you mean") ? near.replace('"', '"/') : " /help lists them.";
  return `There is no command /${name}.${hint}`;
}
