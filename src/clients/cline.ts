import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "./client.ts";
import type { Places } from "./places.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

const FILE = join("settings", "cline_mcp_settings.json");

export const cline: Client = {
  name: "cline",
  title: "Cline",
  programs: ["cline"],
  traces: (places) => [commandLineFolder(places), extensionFolder(places)],
  scopes: ["user"],
  server: {
    format: "json",
    files(places) {
      const extension = existsSync(extensionFolder(places))
        ? [join(extensionFolder(places), FILE)]
        : [];
      const hasCommandLine = existsSync(commandLineFolder(places)) || extension.length === 0;
      const commandLine = hasCommandLine ? [join(commandLineFolder(places), "data", FILE)] : [];
      return [...commandLine, ...extension];
    },
    path: ["mcpServers"],
    entry: (server) => ({ ...usualEntry(server), disabled: false, autoApprove: ["recall"] }),
    read: readUsualEntry,
  },
  approves:
    "Cline runs cairn's `recall` without asking (`autoApprove`); it asks for every other tool as usual.",
  afterwards: "Start a new task.",
};

function commandLineFolder({ env, home }: Places): string {
  return env.CLINE_DIR || join(home, ".cline");
}

function extensionFolder({ applications }: Places): string {
  return join(applications, "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
}
