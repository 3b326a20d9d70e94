import { existsSync } from "node:fs";
import { join } from "node:path";
import { isPlainObject } from "../shared/json.ts";
import type { Client, ClientLocations, ServerCommand } from "./client.ts";

/** `{command, args, env}`, used by most clients; omits an empty `env`. */
export function createEntry({ command, args, env }: ServerCommand): Record<string, unknown> {
  return { command, args: [...args], ...(Object.keys(env).length > 0 && { env: { ...env } }) };
}

export function readEntry(entry: unknown): ServerCommand | undefined {
  if (!isPlainObject(entry) || typeof entry.command !== "string") return undefined;
  return { command: entry.command, args: texts(entry.args), env: textMap(entry.env) };
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function textMap(value: unknown): Record<string, string> {
  if (!isPlainObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) =>
      typeof text === "string" ? [[key, text] as const] : [],
    ),
  );
}

export const claudeDesktop: Client = {
  name: "claude-desktop",
  title: "Claude Desktop",
  programs: [],
  traces: ({ applications }) => [join(applications, "Claude")],
  scopes: ["user"],
  server: {
    format: "json",
    files: ({ applications }) => [join(applications, "Claude", "claude_desktop_config.json")],
    path: ["mcpServers"],
    entry: createEntry,
    read: readEntry,
  },
  afterwards: "Quit Claude Desktop and start it again.",
};

export const windsurf: Client = {
  name: "windsurf",
  title: "Windsurf",
  programs: ["windsurf"],
  traces: ({ home }) => [join(home, ".codeium", "windsurf")],
  scopes: ["user"],
  server: {
    format: "json",
    files: ({ home }) => [join(home, ".codeium", "windsurf", "mcp_config.json")],
    path: ["mcpServers"],
    entry: createEntry,
    read: readEntry,
  },
  afterwards: "Press refresh in Cascade's list of MCP servers.",
};

export const vscode: Client = {
  name: "vscode",
  title: "VS Code",
  programs: ["code"],
  traces: ({ applications }) => [join(applications, "Code", "User")],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: ({ applications, project }, scope) => [
      scope === "user"
        ? join(applications, "Code", "User", "mcp.json")
        : join(project, ".vscode", "mcp.json"),
    ],
    path: ["servers"],
    entry: (server) => ({ type: "stdio", ...createEntry(server) }),
    read: readEntry,
  },
  afterwards: "VS Code asks at the first use whether it may start the server.",
};

export const continueDev: Client = {
  name: "continue",
  title: "Continue",
  programs: ["cn"],
  traces: (locations) => [folder(locations)],
  scopes: ["user"],
  server: {
    format: "yaml",
    files: (locations) => [join(folder(locations), "config.yaml")],
    path: ["mcpServers"],
    list: true,
    entry: (server) => ({ name: "cairn", ...createEntry(server) }),
    read: readEntry,
    initial: { name: "Local config", version: "1.0.0", schema: "v1" },
  },
  afterwards: "Reload Continue; in the editor, tools are offered in agent mode.",
};

function folder({ env, home }: ClientLocations): string {
  return env.CONTINUE_GLOBAL_DIR || join(home, ".continue");
}

const SETTINGS_FILE = join("settings", "cline_mcp_settings.json");

export const cline: Client = {
  name: "cline",
  title: "Cline",
  programs: ["cline"],
  traces: (locations) => [commandLineFolder(locations), extensionFolder(locations)],
  scopes: ["user"],
  server: {
    format: "json",
    files(locations) {
      const extension = existsSync(extensionFolder(locations))
        ? [join(extensionFolder(locations), SETTINGS_FILE)]
        : [];
      const hasCommandLine = existsSync(commandLineFolder(locations)) || extension.length === 0;
      const commandLine = hasCommandLine
        ? [join(commandLineFolder(locations), "data", SETTINGS_FILE)]
        : [];
      return [...commandLine, ...extension];
    },
    path: ["mcpServers"],
    entry: (server) => ({ ...createEntry(server), disabled: false, autoApprove: ["recall"] }),
    read: readEntry,
  },
  approves:
    "Cline runs cairn's `recall` without asking (`autoApprove`); it asks for every other tool as usual.",
  afterwards: "Start a new task.",
};

function commandLineFolder({ env, home }: ClientLocations): string {
  return env.CLINE_DIR || join(home, ".cline");
}

function extensionFolder({ applications }: ClientLocations): string {
  return join(applications, "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
}

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  traces: ({ home, applications }) => [join(home, ".cursor"), join(applications, "Cursor")],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: ({ home, project }, scope) => [
      join(scope === "user" ? home : project, ".cursor", "mcp.json"),
    ],
    path: ["mcpServers"],
    entry: createEntry,
    read: readEntry,
  },
  // Prompt hooks can reject the prompt but not add to it.
  hooks: {
    file: ({ home, project }, scope) =>
      join(scope === "user" ? home : project, ".cursor", "hooks.json"),
    events: {
      "session-start": "sessionStart",
      tool: "postToolUse",
      compact: "preCompact",
      stop: "stop",
      "session-end": "sessionEnd",
    },
    entry: ({ event, line }) => ({
      command: line,
      timeout: 10,
      ...(event === "tool" && { matcher: "Shell|Read|Write" }),
    }),
    initial: { version: 1 },
    answer: (event, context) =>
      event === "session-start" || event === "tool"
        ? JSON.stringify({ additional_context: context })
        : undefined,
  },
  afterwards: "Open Cursor's settings under MCP and switch cairn on, if it is off.",
};
