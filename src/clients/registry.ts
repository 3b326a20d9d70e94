import { join } from "node:path";
import { invalidInput } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import { didYouMean } from "../shared/nearest.ts";
import { claudeCode } from "./claude-code.ts";
import type { Client, ClientLocations } from "./client.ts";
import { codex, gemini, geminiForm } from "./hook-answers.ts";
import { opencode } from "./opencode.ts";
import {
  claudeDesktop,
  cline,
  continueDev,
  createEntry,
  cursor,
  readEntry,
  textMap,
  texts,
  vscode,
  windsurf,
} from "./server-entry.ts";

const copilot: Client = {
  name: "copilot",
  title: "Copilot CLI",
  programs: ["copilot"],
  traces: (locations) => [copilotFolder(locations)],
  scopes: ["user"],
  server: {
    format: "json",
    files: (locations) => [join(copilotFolder(locations), "mcp-config.json")],
    path: ["mcpServers"],
    entry: (server) => ({ type: "local", ...createEntry(server), tools: ["*"] }),
    read: readEntry,
  },
  hooks: {
    file: (locations) => join(copilotFolder(locations), "hooks", "cairn.json"),
    events: {
      "session-start": "sessionStart",
      prompt: "userPromptSubmitted",
      // Copilot would reject a call if the hook before it fails or is late.
      tool: "postToolUse",
      compact: "preCompact",
      stop: "agentStop",
      "session-end": "sessionEnd",
    },
    entry: ({ line }) => ({ type: "command", bash: line, powershell: `& ${line}`, timeoutSec: 10 }),
    initial: { version: 1 },
    dropsStartOnResume: true,
    answer: (_event, context) => JSON.stringify({ additionalContext: context }),
  },
  afterwards: "Start a new session; `/mcp` there lists the server.",
};

function copilotFolder({ env, home }: ClientLocations): string {
  return env.COPILOT_HOME || join(home, ".copilot");
}

const goose: Client = {
  name: "goose",
  title: "Goose",
  programs: ["goose"],
  traces: (locations) => [gooseFolder(locations)],
  scopes: ["user"],
  server: {
    format: "yaml",
    files: (locations) => [join(gooseFolder(locations), "config.yaml")],
    path: ["extensions"],
    entry: ({ command, args, env }) => ({
      enabled: true,
      type: "stdio",
      name: "cairn",
      description: "Memory across sessions",
      cmd: command,
      args: [...args],
      envs: { ...env },
      timeout: 300,
    }),
    read(entry) {
      if (!isPlainObject(entry) || typeof entry.cmd !== "string") return undefined;
      return { command: entry.cmd, args: texts(entry.args), env: textMap(entry.envs) };
    },
  },
  afterwards: "Start a new session.",
};

function gooseFolder({ env, home, config, platform }: ClientLocations): string {
  if (platform === "win32") return join(config, "Block", "goose", "config");
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "goose");
}

const zed: Client = {
  name: "zed",
  title: "Zed",
  programs: ["zed", "zeditor"],
  traces: (locations) => [zedFolder(locations)],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: (locations, scope) => [
      join(
        scope === "user" ? zedFolder(locations) : join(locations.project, ".zed"),
        "settings.json",
      ),
    ],
    path: ["context_servers"],
    entry: (server) => ({ source: "custom", ...createEntry(server) }),
    read: readEntry,
  },
  afterwards: "Zed starts the server at once; the agent panel lists it.",
};

function zedFolder({ env, home, config, platform }: ClientLocations): string {
  if (platform === "win32") return join(config, "Zed");
  if (platform === "darwin") return join(home, ".config", "zed");
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "zed");
}

const qwenForm = geminiForm(".qwen", {
  prompt: "UserPromptSubmit",
  tool: "PostToolUse",
  compact: "PreCompact",
  stop: "Stop",
  "session-end": "SessionEnd",
});

const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  ...qwenForm,
  hooks: { ...qwenForm.hooks, startsWithPrompt: true },
};

export const clients: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  codex,
  cursor,
  vscode,
  gemini,
  qwen,
  copilot,
  cline,
  continueDev,
  opencode,
  zed,
  windsurf,
  goose,
];

/** Throws invalid_input naming the nearest client. */
export function requireClient(name: string): Client {
  const client = clients.find((candidate) => candidate.name === name);
  if (client !== undefined) return client;
  const names = clients.map((candidate) => candidate.name);
  throw invalidInput(`client: there is no client "${name}".${didYouMean(name, names)}`);
}
