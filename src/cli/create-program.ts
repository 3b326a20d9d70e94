import { Command } from "commander";
import {
  type CliCommand,
  COMMAND_GROUPS,
  type CommandGroup,
  type CommandSummary,
} from "./cli-command.ts";
import type { CommandLine, GlobalOptions } from "./command-line.ts";
import { completion } from "./commands/completion.ts";
import { commands } from "./commands/index.ts";
import { type DescribedCommand, describeProgram } from "./describe-program.ts";
import { withInterrupt } from "./interrupt.ts";
import { OPERATION_SUMMARIES } from "./operation-summaries.ts";
import { version } from "./version.ts";

export interface ProgramOptions {
  /** What was written; only the operation that it names is loaded. "all" loads every one. */
  readonly args: readonly string[] | "all";
  /** Aborts the line's signal. */
  readonly stop: AbortController;
  readonly setExitCode: (code: number) => void;
}

export interface Program {
  readonly program: Command;
  /** Names of the commands, in the order of the help. */
  readonly names: readonly string[];
}

/** The whole command line: commands of their own, then one for each operation. */
export async function createProgram(line: CommandLine, options: ProgramOptions): Promise<Program> {
  const program = new Command("cairn")
    .description("A coding agent with a memory, and the memory on its own.")
    .version(version(), "-V, --version")
    .configureOutput({
      writeOut: (text) => line.stdout.write(text),
      writeErr: (text) => line.stderr.write(text),
      // Errors are printed in one place, with those of the commands.
      outputError: () => undefined,
    })
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .exitOverride();
  const entries = inHelpOrder(await listEntries(line, options.args));
  for (const entry of entries) {
    if ("run" in entry) addCommand(program, entry, line, options);
    else addHeading(program, entry);
  }
  return { program, names: entries.map(({ name }) => name) };
}

async function listEntries(
  line: CommandLine,
  args: ProgramOptions["args"],
): Promise<(CliCommand | CommandSummary)[]> {
  const own = [...commands, completion(() => describeAll(line))];
  const named = args === "all" ? [] : args.slice(0, args[0] === "help" ? 2 : 1);
  const isNamed = OPERATION_SUMMARIES.some(({ name }) => named.includes(name));
  if (args !== "all" && !isNamed && line.furtherOperations.length === 0) {
    return [...own, ...OPERATION_SUMMARIES];
  }
  const [{ operationCommand }, { createOperations }] = await Promise.all([
    import("./operation-command.ts"),
    import("../memory/index.ts"),
  ]);
  const operations = [...createOperations(line.furtherOperations).values()];
  return [...own, ...operations.flatMap((operation) => operationCommand(operation) ?? [])];
}

/** Every command with its arguments and options, for completion scripts and the reference page. */
export async function describeAll(line: CommandLine): Promise<readonly DescribedCommand[]> {
  const { program } = await createProgram(line, {
    args: "all",
    stop: new AbortController(),
    setExitCode: () => undefined,
  });
  return describeProgram(program);
}

function inHelpOrder<Entry extends { group: CommandGroup }>(entries: readonly Entry[]): Entry[] {
  return COMMAND_GROUPS.flatMap((group) => entries.filter((entry) => entry.group === group));
}

function addHeading(program: Command, { name, summary, group }: CommandSummary): Command {
  return program
    .command(name, { isDefault: name === "agent" })
    .summary(summary)
    .description(summary)
    .helpGroup(`${group}:`);
}

function addCommand(
  program: Command,
  command: CliCommand,
  line: CommandLine,
  { stop, setExitCode }: ProgramOptions,
): void {
  const sub = addHeading(program, command);
  command.configure?.(sub);
  addGlobalOptions(sub);
  sub.addHelpText("after", `\nExample:\n  ${command.example.replaceAll("\n", "\n  ")}\n`);
  sub.action(async (...given: unknown[]) => {
    const options = sub.opts<GlobalOptions & Record<string, unknown>>();
    const args = given
      .slice(0, sub.registeredArguments.length)
      .flat()
      .filter((value): value is string => typeof value === "string");
    const run = () => command.run(line, args, options);
    const code = await (command.interruptible === true ? withInterrupt(stop, run) : run());
    if (code !== undefined) setExitCode(code);
  });
}

function addGlobalOptions(command: Command): void {
  command
    .option("--db <name>", "database (default: CAIRN_DB, the config, or `default`)")
    .option("--data-dir <folder>", "folder of the databases (CAIRN_DATA_DIR)")
    .option("--json", "print JSON");
}
