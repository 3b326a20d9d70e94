import type { Command } from "commander";
import type { CommandLine } from "./command-line.ts";

/** What the help says of a command; its arguments and options need not be loaded. */
export interface CommandSummary {
  readonly name: string;
  readonly summary: string;
  readonly group: CommandGroup;
}

/**
 * A command of its own, besides those made from operations. One file each in `commands/`. All of
 * these files are loaded at every start: what is heavy is imported inside of `run`.
 */
export interface CliCommand extends CommandSummary {
  /** An example line for `--help`. */
  readonly example: string;
  /**
   * Ctrl-C aborts `line.signal` instead of ending the process; a second one ends it. For work that
   * is stored bit by bit.
   */
  readonly interruptible?: boolean;
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
