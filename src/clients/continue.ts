import { join } from "node:path";
import type { Client } from "./client.ts";
import type { Places } from "./places.ts";
import { readUsualEntry, usualEntry } from "./server-entry.ts";

export const continueDev: Client = {
  name: "continue",
  title: "Continue",
  programs: ["cn"],
  traces: (places) => [folder(places)],
  scopes: ["user"],
  server: {
    format: "yaml",
    files: (places) => [join(folder(places), "config.yaml")],
    path: ["mcpServers"],
    list: true,
    entry: (server) => ({ name: "cairn", ...usualEntry(server) }),
    read: readUsualEntry,
    initial: { name: "Local config", version: "1.0.0", schema: "v1" },
  },
  afterwards: "Reload Continue; in the editor, tools are offered in agent mode.",
};

function folder({ env, home }: Places): string {
  return env.CONTINUE_GLOBAL_DIR || join(home, ".continue");
}
