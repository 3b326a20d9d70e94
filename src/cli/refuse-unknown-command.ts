import { invalidInput } from "../kernel/errors.ts";
import { nearestName } from "../kernel/nearest.ts";

/**
 * The first word is a command, unless it holds a space or a slash leads it: then it is for the agent. A
 * mistyped command must not start one.
 */
export function refuseUnknownCommand(args: readonly string[], names: readonly string[]): void {
  const [word] = args;
  if (word === undefined || word.startsWith("-") || /\s/.test(word)) return;
  // One-shot mode takes the agent's own commands too: cairn /help
  if (word.startsWith("/")) return;
  if (word === "" || word === "help" || names.includes(word)) return;
  const near = nearestName(word, names);
  const hint = near === undefined ? "`cairn --help` lists them." : `Did you mean "${near}"?`;
  throw invalidInput(
    `There is no command "${word}". ${hint} A message for the agent is quoted: cairn "${args.join(" ")}…", or goes to \`cairn agent\`.`,
  );
}
