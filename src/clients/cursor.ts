import { join } from "node:path";
import type { Client } from "./client.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

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
    entry: usualEntry,
    read: readUsualEntry,
  },
  // A submitted prompt can be stopped there, but nothing can be added to it.
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
    goOn: (text) => JSON.stringify({ followup_message: text }),
  },
  afterwards: "Open Cursor's settings under MCP and switch cairn on, if it is off.",
};
