import { loadCustomCommands } from "../commands/load-custom-commands.ts";
import type { AgentPlaces } from "../places.ts";
import { firstWords } from "./first-words.ts";
import { slashCommands } from "./registry.ts";

/** A command as a surface offers it while somebody types. */
export interface CommandSummary {
  /** Words after the slash. */
  readonly name: string;
  /** Arguments as help shows them. */
  readonly usage?: string;
  readonly summary: string;
}

/** Everything that can be typed after a slash on this surface, the user's own commands included. */
export async function listCommands(
  places: AgentPlaces,
  surface: "terminal" | "server",
): Promise<readonly CommandSummary[]> {
  const { commands } = await loadCustomCommands(places, firstWords(slashCommands));
  const builtIn = slashCommands.filter(
    (command) => surface === "terminal" || command.terminalOnly !== true,
  );
  return [
    ...builtIn.map(({ name, usage, summary }) =>
      usage === undefined ? { name, summary } : { name, usage, summary },
    ),
    ...commands.map(({ name, description, prompt }) => ({
      name,
      summary: description ?? "Your own command",
      ...(prompt.includes("{input}") ? { usage: "<input>" } : {}),
    })),
  ];
}
