import type { Command } from "commander";
import type { Reader } from "../config/index.ts";
import type { CommandLine } from "./command-line.ts";
import { GLOBAL_OPTIONS } from "./global-options.ts";

export interface CommandSummary {
  /** One word, or a noun and a verb (`topic create`). */
  readonly name: string;
  readonly summary: string;
  readonly group: CommandGroup;
  readonly aliases?: readonly string[];
  readonly hidden?: boolean;
  readonly shelf?: HelpShelf;
}

export type HelpShelf = "start" | "everyday" | "servers";

/**
 * A command that is not derived from an operation. All files in `commands/` are loaded at every
 * start, so `run` imports expensive modules itself.
 */
export interface CliCommand extends CommandSummary {
  readonly reader: Reader;
  readonly example: string;
  /**
   * Ctrl-C aborts `line.signal` instead of ending the process; a second one ends it. For work that
   * is saved in steps.
   */
  readonly interruptible?: boolean;
  configure?(command: Command): void;
  /**
   * Resolves to the exit code (default 0). `options` include the global ones. The caller prints
   * CairnErrors.
   */
  run(
    line: CommandLine,
    args: readonly string[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<number | undefined>;
}

export const COMMAND_GROUPS = [
  "Agent",
  "Memory",
  "Corrections",
  "Inspection",
  "Servers",
  "Upkeep",
] as const;

export type CommandGroup = (typeof COMMAND_GROUPS)[number];

export const NOUN_SUMMARIES: readonly CommandSummary[] = [
  {
    name: "list",
    summary: "List episodes, facts, conflicts and more: cairn list <noun>",
    aliases: ["ls"],
    group: "Memory",
    shelf: "everyday",
  },
  { name: "episode", summary: "Update episodes", group: "Corrections" },
  {
    name: "concept",
    summary: "Create, update, link, merge and split concepts",
    group: "Corrections",
  },
  { name: "topic", summary: "Create, update, assign and delete topics", group: "Corrections" },
  { name: "entity", summary: "Relate entities to each other", group: "Corrections" },
];

/** Groups two-word commands by their first word, as in the help. */
export function listTopLevel(commands: readonly CommandSummary[]): readonly CommandSummary[] {
  const isShown = ({ name, hidden = false }: CommandSummary) => !hidden && !name.includes(" ");
  return [...NOUN_SUMMARIES, ...commands.filter(isShown)];
}

export function formatShortHelp(commands: readonly CommandSummary[]): string {
  return `Long-term memory for coding agents, and an agent that uses it.

Usage:
  cairn <command> [options]
  cairn "a message for the agent"

Start:
${createRows(isInGroup(commands, "start"))}

Everyday:
${createRows(isInGroup(commands, "everyday"))}

Servers:
${createRows(isInGroup(commands, "servers"))}

All commands: cairn help --all        One command: cairn help <command>

Global options, before or after the command:
${formatTable(GLOBAL_OPTIONS.map(({ flags, description }) => [flags, description]))}

Examples:
  cairn remember "We deploy on Tuesdays" -t decision -e project:shop
  cairn recall "when do we deploy?"
  cairn show 12                      # an episode; any id, or the start of one

Learn more: README.md and docs/ of the package.
`;
}

export function formatFullHelp(commands: readonly CommandSummary[]): string {
  const groups = COMMAND_GROUPS.map(
    (group) =>
      `${group}:\n${createRows(listTopLevel(commands).filter((command) => command.group === group))}`,
  );
  return `Usage: cairn <command> [options]\n\n${groups.join("\n\n")}\n\ncairn help <command> shows its options and an example.\n`;
}

function isInGroup(
  commands: readonly CommandSummary[],
  shelf: HelpShelf,
): readonly CommandSummary[] {
  return listTopLevel(commands).filter((command) => command.shelf === shelf);
}

function createRows(commands: readonly CommandSummary[]): string {
  return formatTable(
    commands.map(({ name, aliases = [], summary }) => [[name, ...aliases].join(", "), summary]),
  );
}

function formatTable(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join("\n");
}
