import { join } from "node:path";
import type { Client, Places } from "./client.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

export const zed: Client = {
  name: "zed",
  title: "Zed",
  programs: ["zed", "zeditor"],
  traces: (locations) => [folder(locations)],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: (locations, scope) => [
      join(scope === "user" ? folder(locations) : join(locations.project, ".zed"), "settings.json"),
    ],
    path: ["context_servers"],
    entry: (server) => ({ source: "custom", ...usualEntry(server) }),
    read: readUsualEntry,
  },
  afterwards: "Zed starts the server at once; the agent panel lists it.",
};

function folder({ env, home, config, platform }: Places): string {
  if (platform === "win32") return join(config, "Zed");
  if (platform === "darwin") return join(home, ".config", "zed");
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "zed");
}
