import { join } from "node:path";
import type { HookCommand, HookEvent } from "./client.ts";
import {
  type Client,
  type ListedHooks,
  memoryCommands,
  memoryCommandsInToml,
  type Places,
} from "./client.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

/** Output format of Claude Code, adopted by Codex, Gemini CLI and Qwen Code; names the event. */
export function specificOutput(names: Partial<Record<HookEvent, string>>) {
  return (event: HookEvent, context: string) =>
    JSON.stringify({
      hookSpecificOutput: { hookEventName: names[event], additionalContext: context },
    });
}

export function refusedCall(text: string): string {
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
export function groupedEntry({ timeout, tools, more = {} }: GroupedHooks) {
  return ({ event, line }: HookCommand) => ({
    ...(event === "tool" && { matcher: tools }),
    hooks: [{ type: "command", command: line, timeout, ...more }],
  });
}

const MILLISECONDS = 10_000;

/**
 * Format of Gemini CLI and its forks: a `settings.json` in `folder` (`.gemini`) below home or
 * project. `events`: the client's event names.
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
    showsNotices: true,
  };
  return {
    traces: ({ home }) => [join(home, folder)],
    scopes: ["user", "project"],
    server: {
      format: "json",
      files: (locations, scope) => [hooks.file(locations, scope)],
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
  traces: (locations) => [folder(locations, "user")],
  scopes: ["user", "project"],
  server: {
    format: "toml",
    files: (locations, scope) => [join(folder(locations, scope), "config.toml")],
    path: ["mcp_servers"],
    // Without `required`, Codex does not wait for the server, and its tools are missing on a busy
    // machine.
    entry: (server) => ({
      ...usualEntry(server),
      required: true,
      startup_timeout_sec: 30,
      tools: { recall: { approval_mode: "approve" } },
    }),
    read: readUsualEntry,
  },
  hooks: {
    file: (locations, scope) => join(folder(locations, scope), "hooks.json"),
    events: EVENTS,
    entry: groupedEntry({ timeout: SECONDS, tools: "Bash|apply_patch" }),
    answer: specificOutput(EVENTS),
    showsNotices: true,
  },
  files: (locations, scope) =>
    scope === "user" ? memoryCommands(join(folder(locations, scope), "prompts"), "$ARGUMENTS") : [],
  approves:
    "Codex runs cairn's `recall` without asking (`approval_mode`); it asks for every other tool as usual. `required` makes it wait for the server at the start.",
  afterwards: "Start a new session; Codex asks once, with /hooks, whether it may run the hooks.",
};

function folder({ env, home, project }: Places, scope: "user" | "project"): string {
  if (scope === "project") return join(project, ".codex");
  return env.CODEX_HOME || join(home, ".codex");
}
