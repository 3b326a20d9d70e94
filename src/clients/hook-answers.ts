import { join } from "node:path";
import type { HookCommand, HookEvent } from "./client.ts";
import {
  type Client,
  type ClientLocations,
  type ListedHooks,
  memoryCommands,
  memoryCommandsInToml,
} from "./client.ts";
import { createEntry, readEntry } from "./server-entry.ts";

/** Output format of Claude Code, adopted by Codex, Gemini CLI and Qwen Code; names the event. */
export function createSpecificOutput(names: Partial<Record<HookEvent, string>>) {
  return (event: HookEvent, context: string) =>
    JSON.stringify({
      hookSpecificOutput: { hookEventName: names[event], additionalContext: context },
    });
}

export function createRefusal(text: string): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: text,
    },
  });
}

interface GroupedHooks {
  /** In the client's unit. */
  readonly timeout: number;
  readonly tools: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** `{matcher?, hooks: [{type, command, timeout}]}` */
export function createGroupedEntry({ timeout, tools, more = {} }: GroupedHooks) {
  return ({ event, line }: HookCommand) => ({
    ...(event === "tool" && { matcher: tools }),
    hooks: [{ type: "command", command: line, timeout, ...more }],
  });
}

const TIMEOUT_MS = 10_000;

/**
 * Format of Gemini CLI and its forks: a `settings.json` in `folder` (`.gemini`) below home or
 * project. `events`: the client's event names.
 */
export function geminiForm(folder: string, events: Partial<Readonly<Record<HookEvent, string>>>) {
  const hooks: ListedHooks = {
    file: ({ home, project }, scope) =>
      join(scope === "user" ? home : project, folder, "settings.json"),
    events,
    entry: createGroupedEntry({
      timeout: TIMEOUT_MS,
      tools: "read_file|read_many_files|write_file|replace|edit|run_shell_command",
      more: { name: "cairn" },
    }),
    answer: createSpecificOutput(events),
    showsNotices: true,
  };
  return {
    traces: ({ home }) => [join(home, folder)],
    scopes: ["user", "project"],
    server: {
      format: "json",
      files: (locations, scope) => [hooks.file(locations, scope)],
      path: ["mcpServers"],
      entry: createEntry,
      read: readEntry,
    },
    hooks,
    files: ({ home, project }, scope) =>
      memoryCommandsInToml(join(scope === "user" ? home : project, folder, "commands")),
    afterwards: "Start a new session; `/mcp` there lists the server.",
  } as const satisfies Partial<Client>;
}

const form = geminiForm(".gemini", {
  "session-start": "SessionStart",
  prompt: "BeforeAgent",
  tool: "AfterTool",
  compact: "PreCompress",
  stop: "AfterAgent",
  "session-end": "SessionEnd",
});

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  ...form,
  hooks: { ...form.hooks, compactsAtEachRequest: true },
};

const EVENT_NAMES = {
  "session-start": "SessionStart",
  prompt: "UserPromptSubmit",
  tool: "PreToolUse",
  compact: "PreCompact",
  stop: "Stop",
} as const;

const TIMEOUT_SECONDS = 10;

export const codex: Client = {
  name: "codex",
  title: "Codex",
  programs: ["codex"],
  traces: (locations) => [folder(locations, "user")],
  scopes: ["user", "project"],
  server: {
    format: "toml",
    files: (locations, scope) => [join(folder(locations, scope), "config.toml")],
    path: ["mcp_servers"],
    // Without `required`, Codex does not wait for the server, and its tools are missing on a busy
    // machine.
    entry: (server) => ({
      ...createEntry(server),
      required: true,
      startup_timeout_sec: 30,
      tools: { recall: { approval_mode: "approve" } },
    }),
    read: readEntry,
  },
  hooks: {
    file: (locations, scope) => join(folder(locations, scope), "hooks.json"),
    events: EVENT_NAMES,
    entry: createGroupedEntry({ timeout: TIMEOUT_SECONDS, tools: "Bash|apply_patch" }),
    answer: createSpecificOutput(EVENT_NAMES),
    showsNotices: true,
  },
  files: (locations, scope) =>
    scope === "user" ? memoryCommands(join(folder(locations, scope), "prompts"), "$ARGUMENTS") : [],
  approves:
    "Codex runs cairn's `recall` without asking (`approval_mode`); it asks for every other tool as usual. `required` makes it wait for the server at the start.",
  afterwards: "Start a new session; Codex asks once, with /hooks, whether it may run the hooks.",
};

function folder({ env, home, project }: ClientLocations, scope: "user" | "project"): string {
  if (scope === "project") return join(project, ".codex");
  return env.CODEX_HOME || join(home, ".codex");
}
