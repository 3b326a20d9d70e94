import { join } from "node:path";
import type { Client } from "./client.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

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
    entry: usualEntry,
    read: readUsualEntry,
  },
  afterwards: "Press refresh in Cascade's list of MCP servers.",
};
