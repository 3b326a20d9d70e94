import type { QuickLine } from "./command-line.ts";

type QuickCommand = (line: QuickLine, args: readonly string[]) => Promise<number>;

/**
 * Commands for which other programs wait, at every key or prompt: they are begun without the command
 * line's own parts. Each is a command of its own as well, for its help and for what is written
 * otherwise. Undefined: what was written has to be read as a whole.
 */
const QUICK: Readonly<
  Record<string, (args: readonly string[]) => Promise<QuickCommand> | undefined>
> = {
  __complete: (args) =>
    args.length === 1 && args[0]?.startsWith("-") === false
      ? import("./completion/answer-completion.ts").then((module) => module.answerCompletion)
      : undefined,
};

/** What runs the words at once, if they name such a command. */
export function quickCommand([name = "", ...args]: readonly string[]):
  | Promise<QuickCommand>
  | undefined {
  return Object.hasOwn(QUICK, name) ? QUICK[name]?.(args) : undefined;
}
