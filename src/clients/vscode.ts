import { join } from "node:path";
import type { Client } from "./client.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

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
    entry: (server) => ({ type: "stdio", ...usualEntry(server) }),
    read: readUsualEntry,
  },
  afterwards: "VS Code asks at the first use whether it may start the server.",
};
