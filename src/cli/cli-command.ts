import type { Command } from "commander";
import type { CommandLine } from "./command-line.ts";

/** A command of its own, besides those made from operations. One file each in `commands/`. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly group: CommandGroup;
  /** An example line for `--help`. */
  readonly example: string;
  /** Adds arguments and options; `--db`, `--data-dir` and `--json` are there already. */
  configure?(command: Command): void;
  /**
   * Does the work; whatever is heavy is imported in here. `options` hold the global ones too.
   * Resolves to the exit code; default 0. CairnErrors are printed by the caller.
   */
  run(
    line: CommandLine,
    args: readonly string[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<number | undefined>;
}

/** Headings of the help, in order. */
export const COMMAND_GROUPS = [
  "Agent",
  "Memory",
  "Corrections",
  "Inspection",
  "Servers",
  "Upkeep",
] as const;

export type CommandGroup = (typeof COMMAND_GROUPS)[number];
