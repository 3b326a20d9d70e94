import type { Command } from "commander";
import type { Reader } from "../config/index.ts";
import type { CommandLine } from "./command-line.ts";

export interface CommandSummary {
  /** One word, or two: a noun and what to do with it (`topic create`, `list episodes`). */
  readonly name: string;
  readonly summary: string;
  readonly group: CommandGroup;
  /** Other names of the command. */
  readonly aliases?: readonly string[];
  /** Left out of the help. */
  readonly hidden?: boolean;
  /** The part of the short help that lists it. */
  readonly shelf?: Shelf;
}

/** Parts of the short help: how to begin, everyday commands, and servers. */
export type Shelf = "start" | "everyday" | "servers";

/**
 * A command of its own, besides those made from operations. One file each in `commands/`. All of
 * these files are loaded at every start: what is heavy is imported inside of `run`.
 */
export interface CliCommand extends CommandSummary {
  readonly reader: Reader;
  /** An example line for `--help`. */
  readonly example: string;
  /**
   * Ctrl-C aborts `line.signal` instead of ending the process; a second one ends it. For work that
   * is stored bit by bit.
   */
  readonly interruptible?: boolean;
  /** Adds arguments and options; the global ones are there already. */
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
