import { loadCustomPrompts } from "../files/load-custom-prompts.ts";
import type { CommandHelp } from "../ports/dialogue.ts";
import { formatUsage, type SlashCommand } from "../ports/slash-command.ts";
import { firstSentenceWords } from "./command-words.ts";

export const help: SlashCommand = {
  name: "help",
  summary: "List the commands",
  immediate: true,
  async run(context) {
    const { dialogue, commands, surface, mcpServers } = context;
    const custom = await loadCustomPrompts(context, firstSentenceWords(commands));
    const builtIn = commands
      .filter((command) => surface === "terminal" || command.terminalOnly !== true)
      .map(commandHelp);
    const own = [
      ...custom.commands.map(({ name, description }) => ({
        name,
        summary: description ?? "Custom command",
      })),
      ...mcpServers.prompts(),
    ];
    if (dialogue.show === undefined) dialogue.print(helpText(builtIn, own));
    else dialogue.show({ kind: "help", commands: [...builtIn, ...own] });
  },
};

export function commandHelp(command: SlashCommand): CommandHelp {
  const usage = formatUsage(command);
  const { name, summary } = command;
  return { name, summary, ...(usage !== undefined && { usage }) };
}

export function helpText(
  commands: readonly CommandHelp[],
  custom: readonly CommandHelp[] = [],
): string {
  const rows = (list: readonly CommandHelp[]) =>
    list.map(({ name, usage, summary }) => ({
      typed: usage === undefined ? `/${name}` : `/${name} ${usage}`,
      summary,
    }));
  const [builtIn, own] = [rows(commands), rows(custom)];
  const width = Math.max(...[...builtIn, ...own].map(({ typed }) => typed.length));
  const formatCommandLines = (list: typeof builtIn) =>
    list.map(({ typed, summary }) => `${typed.padEnd(width)}  ${summary}`);
  return [
    ...formatCommandLines(builtIn),
    ...(own.length === 0 ? [] : ["", "Your commands:", ...formatCommandLines(own)]),
    "",
    "@path at the start of a word includes a file.",
  ].join("\n");
}
