import { join } from "node:path";
import type { Client } from "./client.ts";
import { blockedStop, groupedEntry, refusedCall, specificOutput } from "./hook-answers.ts";
import type { Places } from "./places.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

const EVENTS = {
  "session-start": "SessionStart",
  prompt: "UserPromptSubmit",
  tool: "PreToolUse",
  compact: "PreCompact",
  stop: "Stop",
  "session-end": "SessionEnd",
} as const;

const SECONDS = 10;

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  traces: (places) => [userFile(places), settingsFolder(places)],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: (places, scope) => [
      scope === "user" ? userFile(places) : join(places.project, ".mcp.json"),
    ],
    path: ["mcpServers"],
    entry: (server) => ({ type: "stdio", ...usualEntry(server) }),
    read: readUsualEntry,
  },
  hooks: {
    file: (places, scope) =>
      scope === "user"
        ? join(settingsFolder(places), "settings.json")
        : join(places.project, ".claude", "settings.json"),
    events: EVENTS,
    entry: groupedEntry({ timeout: SECONDS, tools: "Read|Edit|MultiEdit|Write|NotebookEdit|Bash" }),
    answer: specificOutput(EVENTS),
    refuse: refusedCall,
    goOn: blockedStop,
  },
  afterwards: "Start a new session; a project's own .mcp.json is approved there once.",
};

function settingsFolder({ env, home }: Places): string {
  return env.CLAUDE_CONFIG_DIR || join(home, ".claude");
}

function userFile({ env, home }: Places): string {
  return join(env.CLAUDE_CONFIG_DIR || home, ".claude.json");
}
