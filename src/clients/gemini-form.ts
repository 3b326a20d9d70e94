import { join } from "node:path";
import type { Client, HookEvent, ListedHooks } from "./client.ts";
import { groupedEntry, specificOutput } from "./hook-answers.ts";
import { memoryCommandsInToml } from "./memory-commands.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

const MILLISECONDS = 10_000;

/**
 * What Gemini CLI and its forks have in common: a `settings.json` in a folder of their own, below the home or
 * the project. `folder`: its name, `.gemini`; `events`: what the client calls the moments of a session.
 */
export function geminiForm(folder: string, events: Partial<Readonly<Record<HookEvent, string>>>) {
  const hooks: ListedHooks = {
    file: ({ home, project }, scope) =>
      join(scope === "user" ? home : project, folder, "settings.json"),
    events,
    entry: groupedEntry({
      timeout: MILLISECONDS,
      tools: "read_file|read_many_files|write_file|replace|edit|run_shell_command",
      more: { name: "cairn" },
    }),
    answer: specificOutput(events),
  };
  return {
    traces: ({ home }) => [join(home, folder)],
    scopes: ["user", "project"],
    server: {
      format: "json",
      files: (places, scope) => [hooks.file(places, scope)],
      path: ["mcpServers"],
      entry: usualEntry,
      read: readUsualEntry,
    },
    hooks,
    files: ({ home, project }, scope) =>
      memoryCommandsInToml(join(scope === "user" ? home : project, folder, "commands")),
    afterwards: "Start a new session; `/mcp` there lists the server.",
  } as const satisfies Partial<Client>;
}
