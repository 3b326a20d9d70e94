import { COMMAND_GROUPS, type CommandSummary, type Shelf } from "./cli-command.ts";
import { GLOBAL_OPTIONS } from "./global-options.ts";

/** First words of commands with two. */
export const NOUNS: readonly CommandSummary[] = [
  {
    name: "list",
    summary: "List episodes, facts, conflicts and more: cairn list <noun>",
    aliases: ["ls"],
    group: "Memory",
    shelf: "everyday",
  },
  { name: "episode", summary: "Change an episode: update", group: "Corrections" },
  {
    name: "concept",
    summary: "Create, update, link, merge and split concepts",
    group: "Corrections",
  },
  { name: "topic", summary: "Create, update, assign and delete topics", group: "Corrections" },
  { name: "entity", summary: "Relate entities to each other", group: "Corrections" },
];

/** The commands as the help lists them: those with two words by their first. */
function topLevel(commands: readonly CommandSummary[]): readonly CommandSummary[] {
  const isShown = ({ name, hidden = false }: CommandSummary) => !hidden && !name.includes(" ");
  return [...NOUNS, ...commands.filter(isShown)];
}

/** The text of `cairn --help`: how to begin, everyday commands, and where to find the rest. */
export function shortHelp(commands: readonly CommandSummary[]): string {
  return `A memory for coding agents, and an agent that has it.

Usage:
  cairn <command> [options]
  cairn "a message for the agent"

Start:
${rows(onShelf(commands, "start"))}

Everyday:
${rows(onShelf(commands, "everyday"))}

Servers:
${rows(onShelf(commands, "servers"))}

All commands: cairn help --all        One of them: cairn help <command>

Options of every command, before or behind it:
${table(GLOBAL_OPTIONS.map(({ flags, description }) => [flags, description]))}

Examples:
  cairn remember "We deploy on Tuesdays" -t decision -e project:shop
  cairn recall "when do we deploy?"
  cairn show 12                      # an episode; any id, or the start of one

Learn more: README.md and docs/ of the package.
`;
}

/** The text of `cairn help --all`: every command, grouped by purpose. */
export function allCommandsHelp(commands: readonly CommandSummary[]): string {
  const groups = COMMAND_GROUPS.map(
    (group) =>
      `${group}:\n${rows(topLevel(commands).filter((command) => command.group === group))}`,
  );
  return `Usage: cairn <command> [options]\n\n${groups.join("\n\n")}\n\ncairn help <command> shows its options and an example.\n`;
}

function onShelf(commands: readonly CommandSummary[], shelf: Shelf): readonly CommandSummary[] {
  return topLevel(commands).filter((command) => command.shelf === shelf);
}

function rows(commands: readonly CommandSummary[]): string {
  return table(
    commands.map(({ name, aliases = [], summary }) => [[name, ...aliases].join(", "), summary]),
  );
}

function table(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join("\n");
}
