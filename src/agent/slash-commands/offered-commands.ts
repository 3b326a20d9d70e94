import { loadCustomPrompts } from "../files/load-custom-prompts.ts";
import type { AgentPlaces } from "../places.ts";
import type { CommandHelp } from "../ports/dialogue.ts";
import type { SlashCommand } from "../ports/slash-command.ts";
import { firstWords } from "./first-words.ts";
import { commandHelp } from "./help.ts";
import { slashCommands } from "./registry.ts";

/** These commands and the user's own, for a surface that completes them. */
export async function offeredCommands(
  places: AgentPlaces,
  builtIn: readonly SlashCommand[] = slashCommands,
): Promise<readonly CommandHelp[]> {
  const custom = await loadCustomPrompts(places, firstWords(builtIn));
  const own = custom.commands.map(({ name, description }) => ({
    name,
    summary: description ?? "Your own command",
    usage: "[input]",
  }));
  return [...builtIn.map(commandHelp), ...own];
}
