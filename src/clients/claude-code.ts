import { join } from "node:path";
import type { Client, ClientLocations, Scope } from "./client.ts";
import { memoryCommands } from "./client.ts";
import { createGroupedEntry, createRefusal, createSpecificOutput } from "./hook-answers.ts";
import { createEntry, readEntry } from "./server-entry.ts";

const EVENT_NAMES = {
  "session-start": "SessionStart",
  prompt: "UserPromptSubmit",
  tool: "PreToolUse",
  compact: "PreCompact",
  stop: "Stop",
  "session-end": "SessionEnd",
} as const;

const TIMEOUT_SECONDS = 10;
const RECALL_TOOL = "mcp__cairn__recall";

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
    entry: (server) => ({ type: "stdio", ...createEntry(server) }),
    read: readEntry,
  },
  hooks: {
    file: settingsFile,
    events: EVENT_NAMES,
    entry: createGroupedEntry({
      timeout: TIMEOUT_SECONDS,
      tools: "Read|Edit|MultiEdit|Write|NotebookEdit|Bash",
    }),
    answer: createSpecificOutput(EVENT_NAMES),
    showsNotices: true,
    refuse: createRefusal,
  },
  items: (locations, scope) => [
    {
      file: settingsFile(locations, scope),
      format: "json",
      owned: [
        {
          kind: "item",
          path: ["permissions", "allow"],
          value: RECALL_TOOL,
          isOurs: (item) => item === RECALL_TOOL,
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

function settingsFile(locations: ClientLocations, scope: Scope): string {
  return join(
    scope === "user" ? settingsFolder(locations) : join(locations.project, ".claude"),
    "settings.json",
  );
}

function settingsFolder({ env, home }: ClientLocations): string {
  return env.CLAUDE_CONFIG_DIR || join(home, ".claude");
}

function userFile({ env, home }: ClientLocations): string {
  return join(env.CLAUDE_CONFIG_DIR || home, ".claude.json");
}
