import { formatUsage, type SlashCommand } from "../../src/agent/ports/slash-command.ts";
import { renderTable } from "./markdown.ts";

/** Renders the reference of the agent's slash commands from their registry. */
export function renderSlashCommands(commands: readonly SlashCommand[]): string {
  const rows = commands.map((command) => {
    const typed = ["/", command.name, " ", formatUsage(command) ?? ""].join("").trimEnd();
    return [`\`${typed}\``, command.summary, noteOf(command)];
  });
  return [INTRODUCTION, renderTable(["command", "effect", ""], rows)].join("\n");
}

const INTRODUCTION = `# Slash commands

<!-- Generated from src/agent/slash-commands by \`npm run docs\`. -->

Commands that a message to the agent may begin with, in the terminal and over the server. The terminal also has
\`/exit\`, \`/quit\`, \`/keys\` and \`/setup\`.
`;

function noteOf(command: SlashCommand): string {
  if (command.terminalOnly === true) return "terminal only";
  return command.immediate === true ? "also during a run, in the terminal" : "";
}
