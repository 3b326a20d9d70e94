import { join } from "node:path";
import type { Client, Places, Scope } from "./client.ts";
import { memoryCommands } from "./client.ts";
import { groupedEntry, refusedCall, specificOutput } from "./hook-answers.ts";
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
const RECALL = "mcp__cairn__recall";

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  traces: (locations) => [userFile(locations), settingsFolder(locations)],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: (locations, scope) => [
      scope === "user" ? userFile(locations) : join(locations.project, ".mcp.json"),
    ],
    path: ["mcpServers"],
    entry: (server) => ({ type: "stdio", ...usualEntry(server) }),
    read: readUsualEntry,
  },
  hooks: {
    file: settingsFile,
    events: EVENTS,
    entry: groupedEntry({ timeout: SECONDS, tools: "Read|Edit|MultiEdit|Write|NotebookEdit|Bash" }),
    answer: specificOutput(EVENTS),
    showsNotices: true,
    refuse: refusedCall,
  },
  items: (locations, scope) => [
    {
      file: settingsFile(locations, scope),
      format: "json",
      owned: [
        {
          kind: "item",
          path: ["permissions", "allow"],
          value: RECALL,
          isOurs: (item) => item === RECALL,
        },
      ],
    },
  ],
  files: (locations, scope) =>
    memoryCommands(
      join(
        scope === "user" ? settingsFolder(locations) : join(locations.project, ".claude"),
        "commands",
      ),
      "$ARGUMENTS",
    ),
  approves:
    "Claude Code runs cairn's `recall` without asking (`permissions.allow`); it asks for every other tool as usual.",
  afterwards: "Start a new session; a project's own .mcp.json is approved there once.",
};

function settingsFile(locations: Places, scope: Scope): string {
  return join(
    scope === "user" ? settingsFolder(locations) : join(locations.project, ".claude"),
    "settings.json",
  );
}

function settingsFolder({ env, home }: Places): string {
  return env.CLAUDE_CONFIG_DIR || join(home, ".claude");
}

function userFile({ env, home }: Places): string {
  return join(env.CLAUDE_CONFIG_DIR || home, ".claude.json");
}
