import { didYouMean } from "../../shared/nearest.ts";
import { type CustomPrompt, expandCustomPrompt } from "../files/load-custom-prompts.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import { findSlashCommand } from "./find-slash-command.ts";
import { firstWords } from "./first-words.ts";
import { slashCommands } from "./registry.ts";

export type UserMessage =
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
