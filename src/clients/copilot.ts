import { join } from "node:path";
import type { Client, Places } from "./client.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

export const copilot: Client = {
  name: "copilot",
  title: "Copilot CLI",
  programs: ["copilot"],
  traces: (locations) => [folder(locations)],
  scopes: ["user"],
  server: {
    format: "json",
    files: (locations) => [join(folder(locations), "mcp-config.json")],
    path: ["mcpServers"],
    entry: (server) => ({ type: "local", ...usualEntry(server), tools: ["*"] }),
    read: readUsualEntry,
  },
  hooks: {
    file: (locations) => join(folder(locations), "hooks", "cairn.json"),
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

function folder({ env, home }: Places): string {
  return env.COPILOT_HOME || join(home, ".copilot");
}
