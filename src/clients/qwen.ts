import { join } from "node:path";
import type { Client } from "./client.ts";
import { blockedStop, groupedEntry, specificOutput } from "./hook-answers.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

const EVENTS = {
  prompt: "UserPromptSubmit",
  // Before a call an answer needs a decision on it as well, which is not cairn's to take.
  tool: "PostToolUse",
  compact: "PreCompact",
  stop: "Stop",
  "session-end": "SessionEnd",
} as const;

const MILLISECONDS = 10_000;

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  traces: ({ home }) => [join(home, ".qwen")],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: ({ home, project }, scope) => [
      join(scope === "user" ? home : project, ".qwen", "settings.json"),
    ],
    path: ["mcpServers"],
    entry: usualEntry,
    read: readUsualEntry,
  },
  hooks: {
    file: ({ home, project }, scope) =>
      join(scope === "user" ? home : project, ".qwen", "settings.json"),
    events: EVENTS,
    entry: groupedEntry({
      timeout: MILLISECONDS,
      tools: "read_file|read_many_files|write_file|replace|edit|run_shell_command",
      more: { name: "cairn" },
    }),
    answer: specificOutput(EVENTS),
    goOn: blockedStop,
    startsWithPrompt: true,
  },
  afterwards: "Start a new session; `/mcp` there lists the server.",
};
