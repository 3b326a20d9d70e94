import type { SlashCommand } from "../ports/slash-command.ts";
import { slashCommands } from "./registry.ts";

export interface FoundSlashCommand {
  readonly command: SlashCommand;
  /** What follows the name, trimmed; line breaks inside are kept. */
  readonly args: string;
}

/** The built-in command that a message names, the longest name first: `/tasks add x`. */
export function findSlashCommand(
  text: string,
  commands: readonly SlashCommand[] = slashCommands,
): FoundSlashCommand | undefined {
  const line = text.trim();
  if (!line.startsWith("/")) return undefined;
  return commands
    .map((command) => ({ command, args: argsAfter(line, command.name) }))
    .filter((found): found is FoundSlashCommand => found.args !== undefined)
    .filter(({ command, args }) => command.exact !== true || args === "")
    .sort((a, b) => b.command.name.length - a.command.name.length)[0];
}

/** The text after `/name`, whose words may be apart by any white space; undefined: another name. */
function argsAfter(line: string, name: string): string | undefined {
  const words = name.split(" ").join("\\s+");
  const match = new RegExp(`^/${words}(?:\\s+([\\s\\S]*))?$`, "i").exec(line);
  return match === null ? undefined : (match[1] ?? "").trim();
}
