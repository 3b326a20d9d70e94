import { getUsage, type SlashCommand } from "../../src/agent/ports/slash-command.ts";
import { table } from "./markdown.ts";

/** The reference page of the agent's slash commands, from their registry. */
export function renderSlashCommands(commands: readonly SlashCommand[]): string {
  const rows = commands.map((command) => {
    const typed = ["/", command.name, " ", getUsage(command) ?? ""].join("").trimEnd();
    return [`\`${typed}\``, command.summary, noteOf(command)];
  });
  return [INTRODUCTION, table(["typed", "what it does", ""], rows)].join("\n");
}

const INTRODUCTION = `# Slash commands

<!-- Generated from src/agent/slash-commands by \`npm run docs\`. -->

What a message to the agent may begin with, in the terminal and over the server. The terminal has
\`/exit\`, \`/quit\`, \`/keys\` and \`/setup\` besides.
`;

function noteOf(command: SlashCommand): string {
  if (command.terminalOnly === true) return "in the terminal only";
  return command.immediate === true ? "beside a run, too, in the terminal" : "";
}
