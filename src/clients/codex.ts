import { join } from "node:path";
import type { Client } from "./client.ts";
import { blockedStop, groupedEntry, specificOutput } from "./hook-answers.ts";
import { memoryCommands } from "./memory-commands.ts";
import type { Places } from "./places.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

const EVENTS = {
  "session-start": "SessionStart",
  prompt: "UserPromptSubmit",
  tool: "PreToolUse",
  compact: "PreCompact",
  stop: "Stop",
} as const;

const SECONDS = 10;

export const codex: Client = {
  name: "codex",
  title: "Codex",
  programs: ["codex"],
  traces: (places) => [folder(places, "user")],
  scopes: ["user", "project"],
  server: {
    format: "toml",
    files: (places, scope) => [join(folder(places, scope), "config.toml")],
    path: ["mcp_servers"],
    // Without `required` Codex does not wait for the server, and its tools are missing on a busy machine.
    entry: (server) => ({
      ...usualEntry(server),
      required: true,
      startup_timeout_sec: 30,
      tools: { recall: { approval_mode: "approve" } },
    }),
    read: readUsualEntry,
  },
  hooks: {
    file: (places, scope) => join(folder(places, scope), "hooks.json"),
    events: EVENTS,
    entry: groupedEntry({ timeout: SECONDS, tools: "Bash|apply_patch" }),
    answer: specificOutput(EVENTS),
    goOn: blockedStop,
  },
  files: (places, scope) =>
    scope === "user" ? memoryCommands(join(folder(places, scope), "prompts"), "$ARGUMENTS") : [],
  approves:
    "Codex runs cairn's `recall` without asking (`approval_mode`); it asks for every other tool as usual. `required` makes it wait for the server at the start.",
  afterwards: "Start a new session; Codex asks once, with /hooks, whether it may run the hooks.",
};

function folder({ env, home, project }: Places, scope: "user" | "project"): string {
  if (scope === "project") return join(project, ".codex");
  return env.CODEX_HOME || join(home, ".codex");
}
