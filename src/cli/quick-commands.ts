import type { QuickLine } from "./command-line.ts";

type QuickCommand = (line: QuickLine, args: readonly string[]) => Promise<number>;

/**
 * Commands for which other programs wait at every key or prompt; they start without the rest of the
 * command line. Each is also an ordinary command, for its help and for other arguments. Undefined:
 * the arguments need the ordinary command.
 */
const QUICK: Readonly<
  Record<string, (args: readonly string[]) => Promise<QuickCommand> | undefined>
> = {
  __complete: (args) =>
    args.length === 1 && args[0]?.startsWith("-") === false
      ? import("./completion/answer-completion.ts").then((module) => module.answerCompletion)
      : undefined,
};

/** The function that runs the command at once, if the words name such a command. */
export function quickCommand([name = "", ...args]: readonly string[]):
  | Promise<QuickCommand>
  | undefined {
  return Object.hasOwn(QUICK, name) ? QUICK[name]?.(args) : undefined;
}
