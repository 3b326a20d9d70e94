import { hideEnvironment, processEnvironment } from "../shared/environment.ts";
import { stderrLogger } from "../shared/logger.ts";
import type { QuickLine } from "./command-line.ts";
import { writeKeys } from "./write-keys.ts";

type QuickCommand = (line: QuickLine, args: readonly string[]) => Promise<number>;

/**
 * Latency-critical commands, which start without loading the others. Undefined if the arguments
 * need the regular command.
 */
const QUICK: Readonly<
  Record<string, (args: readonly string[]) => Promise<QuickCommand> | undefined>
> = {
  __complete: (args) =>
    args.length === 1 && args[0]?.startsWith("-") === false
      ? import("./completion/answer-completion.ts").then((module) => module.answerCompletion)
      : undefined,
};

function quickCommand([name = "", ...args]: readonly string[]): Promise<QuickCommand> | undefined {
  return Object.hasOwn(QUICK, name) ? QUICK[name]?.(args) : undefined;
}

/** Commands with enough validation to benefit from compiled validators. */
const VALIDATING_COMMANDS = new Set(["serve", "mcp", "ui", "ui-server", "acp", "apply", "import"]);

const args = process.argv.slice(2);
// Set if the daemon did not confirm whether it ran the command; see `src/app/daemon/client.ts`.
const { CAIRN_QUESTION: question, ...env } = processEnvironment();
delete process.env.CAIRN_QUESTION;
const line = {
  env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  logger: stderrLogger(),
  furtherOperations: [],
  hideEnvironment,
  ...(question !== undefined && { once: writeKeys(question) }),
};
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
