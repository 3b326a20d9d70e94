import { type CairnError, invalidInput } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";

export function unknownSubcommand(
  command: string,
  args: string,
  known: readonly string[],
): CairnError {
  const word = args.split(/\s/, 1)[0] ?? args;
  return invalidInput(`There is no command /${command} ${word}.${didYouMean(word, known)}`);
}
