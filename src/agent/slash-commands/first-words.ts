import type { SlashCommand } from "../ports/slash-command.ts";

/** First words of the commands: the names that a custom command cannot take. */
export function firstWords(commands: readonly SlashCommand[]): ReadonlySet<string> {
  return new Set(commands.map((command) => command.name.split(" ", 1)[0] ?? command.name));
}
