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

/** What every package of the ecosystems says of cairn; each file is made from this alone. */
export const description = {
  package: name,
  version,
  license,
  /** Name in the MCP registry, which looks into the npm package for the same one. */
  registryName: mcpName,
  title: "cairn memory",
  author: { name: "cairn contributors" },
  /** At most a hundred characters: the registry takes no more. */
  short: "Long-term memory for coding agents: facts, decisions and conflicts in one SQLite file.",
  keywords: ["memory", "mcp", "agent", "recall", "sqlite"],
  node: ">=20.19",
} as const;

/** The very version, by npm: a bare `cairn` there belongs to another project. */
export const npxArgs = ["-y", `${name}@${version}`] as const;

/** The hooks of a client as it reads them from a package. */
export function packagedHooks(client: "claude-code" | "gemini") {
  const hooks = { "claude-code": claudeCode.hooks, gemini: gemini.hooks }[client];
  if (hooks === undefined || !("entry" in hooks)) throw new Error(`${client} lists no hooks`);
  const groups = HOOK_EVENTS.flatMap((event) => groupOf(client, hooks, event));
  return { hooks: Object.fromEntries(groups) };
}

function groupOf(client: keyof typeof FOLDERS, hooks: ListedHooks, event: HookEvent) {
  const eventName = hooks.events[event];
  if (eventName === undefined) return [];
  return [
    [
      eventName,
      [hooks.entry({ event, name: eventName, line: launchedLine(client, event) })],
    ] as const,
  ];
}

/** How each client calls the folder of its plugin. */
const FOLDERS = {
  "claude-code": `\${CLAUDE_PLUGIN_ROOT}`,
  gemini: `\${extensionPath}`,
} as const;

/** By the launcher beside the hooks, which asks npx only once. */
function launchedLine(client: keyof typeof FOLDERS, event: HookEvent): string {
  return `node "${FOLDERS[client]}/hooks/cairn.mjs" hook ${client} ${event}`;
}
