import { Command } from "commander";
import { createOperations } from "../memory/index.ts";
import type { CliCommand } from "./cli-command.ts";
import type { CommandLine, GlobalOptions } from "./command-line.ts";
import { commands } from "./commands/index.ts";
import { operationCommand } from "./operation-command.ts";
import { version } from "./version.ts";

/** The whole command line: commands of their own, then one for each operation. */
export function createProgram(line: CommandLine, setExitCode: (code: number) => void): Command {
  const program = new Command("cairn")
    .description("A coding agent with a memory, and the memory on its own.")
    .version(version(), "-V, --version")
    .configureOutput({
      writeOut: (text) => line.stdout.write(text),
      writeErr: (text) => line.stderr.write(text),
    })
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .exitOverride();
  for (const command of commands) add(program, command);
  for (const operation of createOperations(line.furtherOperations).values()) {
    const command = operationCommand(operation);
    if (command !== undefined) add(program, command);
  }
  return program;

  function add(parent: Command, command: CliCommand): void {
    const isDefault = command.name === "agent";
    const sub = parent
      .command(command.name, { isDefault })
      .summary(command.summary)
      .description(command.summary)
      .helpGroup(`${command.group}:`);
    command.configure?.(sub);
    addGlobalOptions(sub);
    sub.addHelpText("after", `\nExample:\n  ${command.example.replaceAll("\n", "\n  ")}\n`);
    sub.action(async (...given: unknown[]) => {
      const options = sub.opts<GlobalOptions & Record<string, unknown>>();
      const args = given
        .slice(0, sub.registeredArguments.length)
        .flat()
        .filter((value): value is string => typeof value === "string");
      const code = await command.run(line, args, options);
      if (code !== undefined) setExitCode(code);
    });
  }
}

function addGlobalOptions(command: Command): void {
  command
    .option("--db <name>", "database (default: CAIRN_DB, the config, or `default`)")
    .option("--data-dir <folder>", "folder of the databases (CAIRN_DATA_DIR)")
    .option("--json", "print JSON");
}
