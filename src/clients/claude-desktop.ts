import { join } from "node:path";
import type { Client } from "./client.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

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
    entry: usualEntry,
    read: readUsualEntry,
  },
  afterwards: "Quit Claude Desktop and start it again.",
};
