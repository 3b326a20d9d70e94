import { join } from "node:path";
import { isPlainObject } from "../shared/json.ts";
import type { Client, Places } from "./client.ts";
import { textMap, texts } from "./server-entry.ts";

export const goose: Client = {
  name: "goose",
  title: "Goose",
  programs: ["goose"],
  traces: (locations) => [folder(locations)],
  scopes: ["user"],
  server: {
    format: "yaml",
    files: (locations) => [join(folder(locations), "config.yaml")],
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

function folder({ env, home, config, platform }: Places): string {
  if (platform === "win32") return join(config, "Block", "goose", "config");
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "goose");
}
