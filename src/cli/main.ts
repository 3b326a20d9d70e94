import type { QuickLine } from "./command-line.ts";
import { processLine } from "./process-line.ts";

type QuickCommand = (line: QuickLine, args: readonly string[]) => Promise<number>;

/**
 * Latency-critical commands, which start without loading the others. Undefined if the arguments
 * need the regular command.
 */
const QUICK_COMMANDS: Readonly<
  Record<string, (args: readonly string[]) => Promise<QuickCommand> | undefined>
> = {
  __complete: (args) =>
    args.length === 1 && args[0]?.startsWith("-") === false
      ? import("./completion/answer-completion.ts").then((module) => module.answerCompletion)
      : undefined,
};

function quickCommand([name = "", ...args]: readonly string[]): Promise<QuickCommand> | undefined {
  return Object.hasOwn(QUICK_COMMANDS, name) ? QUICK_COMMANDS[name]?.(args) : undefined;
}

/** Commands with enough validation to benefit from compiled validators. */
const VALIDATING_COMMANDS = new Set(["serve", "mcp", "ui", "ui-server", "acp", "apply", "import"]);

const args = process.argv.slice(2);
const line = processLine();
const quick = await quickCommand(args);
if (quick === undefined) {
  if (!VALIDATING_COMMANDS.has(args[0] ?? "")) {
    const { config } = await import("zod");
    // Affects schemas created afterwards.
    config({ jitless: true });
  }
  const { runCommandLine } = await import("./run-command-line.ts");
  process.exitCode = await runCommandLine(args, line);
} else {
  process.exitCode = await quick(line, args.slice(1));
}
