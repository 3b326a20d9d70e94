import { type CairnError, invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { SlashCommand } from "../ports/slash-command.ts";

export function firstSentenceWords(commands: readonly SlashCommand[]): ReadonlySet<string> {
  return new Set(commands.map((command) => command.name.split(" ", 1)[0] ?? command.name));
}

export function unknownSubcommand(
  command: string,
  args: string,
  known: readonly string[],
): CairnError {
  const word = args.split(/\s/, 1)[0] ?? args;
  return invalidInput(`There is no command /${command} ${word}.${didYouMean(word, known)}`);
}
