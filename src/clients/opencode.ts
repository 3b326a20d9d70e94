import { existsSync } from "node:fs";
import { join } from "node:path";
import { isPlainObject } from "../shared/json.ts";
import type { Client } from "./client.ts";
import { memoryCommands } from "./memory-commands.ts";
import { opencodePlugin, startByLine } from "./opencode-plugin.ts";
import type { Places } from "./places.ts";
import { textMap, texts } from "./server-entry.ts";

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  traces: (places) => [folder(places)],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: (places, scope) => [file(scope === "user" ? folder(places) : places.project)],
    path: ["mcp"],
    entry: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      enabled: true,
      ...(Object.keys(env).length > 0 && { environment: { ...env } }),
    }),
    read(entry) {
      if (!isPlainObject(entry)) return undefined;
      const [command, ...args] = texts(entry.command);
      return command === undefined ? undefined : { command, args, env: textMap(entry.environment) };
    },
    initial: { $schema: "https://opencode.ai/config.json" },
  },
  hooks: {
    file: (places, scope) =>
      join(
        scope === "user" ? folder(places) : join(places.project, ".opencode"),
        "plugins",
        "cairn.js",
      ),
    script: (lineOf) => opencodePlugin(startByLine(lineOf)),
    answer: (_event, context) => context,
  },
  files: (places, scope) =>
    memoryCommands(
      join(scope === "user" ? folder(places) : join(places.project, ".opencode"), "command"),
      "$ARGUMENTS",
    ),
  afterwards: "Start a new session.",
};

/** Its config folder follows XDG on every platform. */
function folder({ env, home }: Places): string {
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}

function file(parent: string): string {
  const withComments = join(parent, "opencode.jsonc");
  return existsSync(withComments) ? withComments : join(parent, "opencode.json");
}
