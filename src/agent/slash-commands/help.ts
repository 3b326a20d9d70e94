import { type CustomPrompt, loadCustomPrompts } from "../files/load-custom-prompts.ts";
import { type SlashCommand, usageOf } from "../ports/slash-command.ts";
import { firstWords } from "./first-words.ts";

/** `/help` over the commands of the registry, which names `/help` itself. */
export function helpCommand(commands: () => readonly SlashCommand[]): SlashCommand {
  return {
    name: "help",
    summary: "Show what can be typed here",
    async run(context) {
      const custom = await loadCustomPrompts(context, firstWords(commands()));
      const shown = commands().filter(
        (command) => context.surface === "terminal" || command.terminalOnly !== true,
      );
      context.dialogue.print(helpText(shown, custom.commands));
    },
  };
}

/** One line a command, in columns. */
export function helpText(
  commands: readonly SlashCommand[],
  custom: readonly CustomPrompt[] = [],
): string {
  const rows = commands.map((command) => ({
    usage: [`/${command.name}`, usageOf(command)].filter((part) => part !== undefined).join(" "),
    summary: command.summary,
  }));
  const ownRows = custom.map((command) => ({
    usage: `/${command.name}`,
    summary: command.description ?? "Your own command",
  }));
  const width = Math.max(...[...rows, ...ownRows].map((row) => row.usage.length));
  const lines = (list: typeof rows) =>
    list.map((row) => `${row.usage.padEnd(width)}  ${row.summary}`);
  const own = ownRows.length === 0 ? [] : ["", "Your commands:", ...lines(ownRows)];
  return [...lines(rows), ...own, "", "@path at the start of a word includes a file."].join("\n");
}
