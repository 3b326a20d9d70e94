import { readFileSync } from "node:fs";
import { claudeCode } from "../src/clients/claude-code.ts";
import { HOOK_EVENTS, type HookEvent, type ListedHooks } from "../src/clients/client.ts";
import { gemini } from "../src/clients/hook-answers.ts";

const { name, version, license, mcpName } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly mcpName: string;
};

/** Common description from which the files of all packages are generated. */
export const description = {
  package: name,
  version,
  license,
  /** Name in the MCP registry, which checks it against `mcpName` in the npm package. */
  registryName: mcpName,
  title: "cairn memory",
  author: { name: "cairn contributors" },
  /** At most 100 characters, the limit of the MCP registry. */
  short: "Long-term memory for coding agents: facts, decisions and conflicts in one SQLite file.",
  keywords: ["memory", "mcp", "agent", "recall", "sqlite"],
  node: ">=20.19",
} as const;

/** Names the package and exact version, since `cairn` on npm is another project. */
export const npxArgs = ["-y", `${name}@${version}`] as const;

/** Returns the hooks of a client in the format of its packages. */
export function createPackagedHooks(client: "claude-code" | "gemini") {
  const hooks = { "claude-code": claudeCode.hooks, gemini: gemini.hooks }[client];
  if (hooks === undefined || !("entry" in hooks)) throw new Error(`${client} defines no hooks`);
  const groups = HOOK_EVENTS.flatMap((event) => groupOf(client, hooks, event));
  return { hooks: Object.fromEntries(groups) };
}

function groupOf(client: keyof typeof FOLDERS, hooks: ListedHooks, event: HookEvent) {
  const eventName = hooks.events[event];
  if (eventName === undefined) return [];
  return [
    [
      eventName,
      [hooks.entry({ event, name: eventName, line: createLaunchCommand(client, event) })],
    ] as const,
  ];
}

/** Variable for the plugin's folder in each client. */
const FOLDERS = {
  "claude-code": `\${CLAUDE_PLUGIN_ROOT}`,
  gemini: `\${extensionPath}`,
} as const;

/** Runs a hook through the launcher, which calls npx only once per version. */
function createLaunchCommand(client: keyof typeof FOLDERS, event: HookEvent): string {
  return `node "${FOLDERS[client]}/hooks/cairn.mjs" hook ${client} ${event}`;
}
