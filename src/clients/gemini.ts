import { join } from "node:path";
import type { Client } from "./client.ts";
import { groupedEntry, specificOutput } from "./hook-answers.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

const EVENTS = {
  "session-start": "SessionStart",
  prompt: "BeforeAgent",
  // Before a call nothing can be said to the model without refusing it.
  tool: "AfterTool",
  compact: "PreCompress",
  stop: "AfterAgent",
  "session-end": "SessionEnd",
} as const;

const MILLISECONDS = 10_000;

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  traces: ({ home }) => [join(home, ".gemini")],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: ({ home, project }, scope) => [
      join(scope === "user" ? home : project, ".gemini", "settings.json"),
    ],
    path: ["mcpServers"],
    entry: usualEntry,
    read: readUsualEntry,
  },
  hooks: {
    file: ({ home, project }, scope) =>
      join(scope === "user" ? home : project, ".gemini", "settings.json"),
    events: EVENTS,
    entry: groupedEntry({
      timeout: MILLISECONDS,
      tools: "read_file|read_many_files|write_file|replace|edit|run_shell_command",
      more: { name: "cairn" },
    }),
    answer: specificOutput(EVENTS),
  },
  afterwards: "Start a new session; `/mcp` there lists the server.",
};
