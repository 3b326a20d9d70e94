import { Command } from "commander";
import { invalidInput } from "../shared/errors.ts";
import { type ArrangedArgs, arrangeArgs, VIEW_NOUNS } from "./arrange-args.ts";
import {
  type CliCommand,
  COMMAND_GROUPS,
  type CommandGroup,
  type CommandSummary,
  formatFullHelp,
  formatShortHelp,
  NOUN_SUMMARIES,
} from "./cli-command.ts";
import type { CommandLine, GlobalOptions, ProgramLine } from "./command-line.ts";
import { commands } from "./commands/index.ts";
import { type DescribedCommand, describeProgram } from "./describe-program.ts";
import { withInterrupt } from "./exit-code.ts";
import { addGlobalOptions } from "./global-options.ts";
import { OPERATION_SUMMARIES } from "./operation-summaries.ts";
import { version } from "./version.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

const completion = (describeAll: () => Promise<readonly DescribedCommand[]>): CliCommand => ({
  name: "completion",
  reader: "person",
  summary: "Print a completion script for bash, zsh or fish",
  group: "Upkeep",
  example:
    'eval "$(cairn completion bash)"\ncairn completion zsh > ~/.zfunc/_cairn\ncairn completion fish > ~/.config/fish/completions/cairn.fish',
  configure(command) {
    command.argument("<shell>", SHELLS.join(", "));
  },
  async run(line, [value = ""]) {
    const shell = SHELLS.find((name) => name === value);
    if (shell === undefined) {
      throw invalidInput(`shell: no script for "${value}"; use ${SHELLS.join(", ")}.`);
    }
    const { COMPLETION_SCRIPTS } = await import("./completion/scripts.ts");
    line.stdout.write(COMPLETION_SCRIPTS[shell](await describeAll()));
    return undefined;
  },
});

export interface ProgramOptions {
  readonly args: readonly string[] | "all";
  readonly stop: AbortController;
  readonly setExitCode: (code: number) => void;
}

export interface Program {
  readonly program: Command;
  readonly args: readonly string[];
}

/**
 * Builds the command line: separate commands, then one per operation. Throws invalid_input for an
 * unknown command.
 */
export async function createProgram(line: ProgramLine, options: ProgramOptions): Promise<Program> {
  const known = sortForHelp(await knownCommands(line, options.args));
  const { args, name, notice }: ArrangedArgs =
    options.args === "all" ? { args: [] } : arrangeArgs(options.args, known);
  if (notice !== undefined) line.logger.warn(notice);
  const entries = options.args === "all" ? known : await addNamedOptions(line, name, known);
  const program = new Command("cairn")
    .description("Long-term memory for coding agents, and an agent that uses it.")
    .version(version(), "-V, --version")
    .option("--all", "with --help: every command")
    .configureOutput({
      writeOut: (text) => line.stdout.write(text),
      writeErr: (text) => line.stderr.write(text),
      // The caller prints all errors.
      outputError: () => undefined,
    })
    .showSuggestionAfterError()
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride();
  program.helpInformation = () =>
    args.includes("--all") ? formatFullHelp(known) : formatShortHelp(known);
  for (const entry of entries) {
    if ("run" in entry) addCommand(program, entry, line, options);
    else addHeading(program, entry);
  }
  return { program, args };
}

async function knownCommands(
  line: ProgramLine,
  args: ProgramOptions["args"],
): Promise<(CliCommand | CommandSummary)[]> {
  const ofOperations =
    args === "all" || line.furtherOperations.length > 0
      ? await operationCommands(line)
      : OPERATION_SUMMARIES;
  return [...commands, completion(() => describeAll(line)), ...ofOperations];
}

async function addNamedOptions(
  line: ProgramLine,
  word: string | undefined,
  known: readonly (CliCommand | CommandSummary)[],
): Promise<readonly (CliCommand | CommandSummary)[]> {
  const isNamed = (entry: CommandSummary) =>
    word !== undefined && (entry.name === word || entry.aliases?.includes(word) === true);
  if (!known.some((entry) => !("run" in entry) && isNamed(entry))) return known;
  const [loaded] = await operationCommands(line, word);
  return known.map((entry) => (loaded !== undefined && isNamed(entry) ? loaded : entry));
}

/** With `name`, builds only that command, which starts faster. */
async function operationCommands(line: ProgramLine, name?: string): Promise<CliCommand[]> {
  const [{ commandNames, operationCommand }, { createOperations }] = await Promise.all([
    import("./operation-command/operation-command.ts"),
    import("../memory/index.ts"),
  ]);
  const operations = [...createOperations(line.furtherOperations).values()];
  return operations
    .filter((operation) => name === undefined || commandNames(operation).includes(name))
    .flatMap((operation) => operationCommand(operation) ?? []);
}

export async function describeAll(line: ProgramLine): Promise<readonly DescribedCommand[]> {
  const { program } = await createProgram(line, {
    args: "all",
    stop: new AbortController(),
    setExitCode: () => undefined,
  });
  return describeProgram(program);
}

function sortForHelp<Entry extends { group: CommandGroup }>(entries: readonly Entry[]): Entry[] {
  return COMMAND_GROUPS.flatMap((group) => entries.filter((entry) => entry.group === group));
}

function addHeading(program: Command, entry: CommandSummary): Command {
  const { name, summary, group, aliases = [], hidden = false } = entry;
  const [first = "", second] = name.split(" ");
  const parent = second === undefined ? program : ensureGroup(program, first);
  return parent
    .command(second ?? first, { isDefault: name === "agent", hidden })
    .aliases([...aliases])
    .summary(summary)
    .description(summary)
    .helpGroup(`${group}:`);
}

/** A group command only shows help. */
function ensureGroup(program: Command, name: string): Command {
  const existing = program.commands.find((one) => one.name() === name);
  if (existing !== undefined) return existing;
  const {
    summary = name,
    aliases = [],
    group = "Memory",
  } = NOUN_SUMMARIES.find((noun) => noun.name === name) ?? {};
  const command = program
    .command(name)
    .aliases([...aliases])
    .summary(summary)
    .description(summary)
    .helpGroup(`${group}:`)
    .helpCommand(false);
  if (name === "list") {
    command.addHelpText("after", `\nWithout a noun: episodes. Also: ${VIEW_NOUNS.join(", ")}.\n`);
  }
  return command;
}

function addCommand(
  program: Command,
  command: CliCommand,
  line: ProgramLine,
  { stop, setExitCode }: ProgramOptions,
): void {
  const sub = addHeading(program, command);
  command.configure?.(sub);
  addGlobalOptions(sub);
  sub.addHelpText("after", `\nExample:\n  ${command.example.replaceAll("\n", "\n  ")}\n`);
  sub.action(async (...values: unknown[]) => {
    const options = sub.opts<GlobalOptions & Record<string, unknown>>();
    const args = values
      .slice(0, sub.registeredArguments.length)
      .flat()
      .filter((value): value is string => typeof value === "string");
    const { reader } = command;
    const colored = { ...line, reader, env: addColor(line.env, options.color) };
    const run = () => command.run(colored, args, options);
    // The daemon has no terminal for Ctrl-C.
    const isInterruptible = command.interruptible === true && line.longRunning === undefined;
    const code = await (isInterruptible ? withInterrupt(stop, run) : run());
    if (code !== undefined) setExitCode(code);
  });
}

/** Maps `--color` to the standard environment variables. */
function addColor(env: CommandLine["env"], when: string | undefined): CommandLine["env"] {
  if (when === undefined || when === "auto") return env;
  if (when === "always") return { ...env, NO_COLOR: undefined, FORCE_COLOR: "1" };
  if (when === "never") return { ...env, NO_COLOR: "1", FORCE_COLOR: undefined };
  throw invalidInput(`--color: must be auto, always or never, not "${when}"`);
}
