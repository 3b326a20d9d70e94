import { loadCustomPrompts } from "../files/load-custom-prompts.ts";
import type { AgentPlaces } from "../places.ts";
import { usageOf } from "../ports/slash-command.ts";
import { firstWords } from "./first-words.ts";
import { slashCommands } from "./registry.ts";

/** What a person may type after a slash, for a surface that completes it. */
export interface OfferedCommand {
  /** Words after the slash. */
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
}

/** The built-in commands and the user's own. */
export async function offeredCommands(places: AgentPlaces): Promise<readonly OfferedCommand[]> {
  const { commands } = await loadCustomPrompts(places, firstWords(slashCommands));
  const own = commands.map(({ name, description }) => ({
    name,
    summary: description ?? "Your own command",
    usage: "[input]",
  }));
  const builtIn = slashCommands.map((command) => {
    const usage = usageOf(command);
    const { name, summary } = command;
    return { name, summary, ...(usage !== undefined && { usage }) };
  });
  return [...builtIn, ...own];
}
