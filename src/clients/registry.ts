import { join } from "node:path";
import { invalidInput } from "../shared/errors.ts";
import { didYouMean } from "../shared/nearest.ts";
import { claudeCode } from "./claude-code.ts";
import type { Client, Places } from "./client.ts";
import { copilot } from "./copilot.ts";
import { goose } from "./goose.ts";
import { codex, gemini, geminiForm } from "./hook-answers.ts";
import { opencode } from "./opencode.ts";
import {
  claudeDesktop,
  cline,
  continueDev,
  cursor,
  readUsualEntry,
  usualEntry,
  vscode,
  windsurf,
} from "./server-entry.ts";

const zed: Client = {
  name: "zed",
  title: "Zed",
  programs: ["zed", "zeditor"],
  traces: (locations) => [zedFolder(locations)],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: (locations, scope) => [
      join(
        scope === "user" ? zedFolder(locations) : join(locations.project, ".zed"),
        "settings.json",
      ),
    ],
    path: ["context_servers"],
    entry: (server) => ({ source: "custom", ...usualEntry(server) }),
    read: readUsualEntry,
  },
  afterwards: "Zed starts the server at once; the agent panel lists it.",
};

function zedFolder({ env, home, config, platform }: Places): string {
  if (platform === "win32") return join(config, "Zed");
  if (platform === "darwin") return join(home, ".config", "zed");
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "zed");
}

const qwenForm = geminiForm(".qwen", {
  prompt: "UserPromptSubmit",
  tool: "PostToolUse",
  compact: "PreCompact",
  stop: "Stop",
  "session-end": "SessionEnd",
});

const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  ...qwenForm,
  hooks: { ...qwenForm.hooks, startsWithPrompt: true },
};

export const clients: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  codex,
  cursor,
  vscode,
  gemini,
  qwen,
  copilot,
  cline,
  continueDev,
  opencode,
  zed,
  windsurf,
  goose,
];

/** Throws invalid_input naming the nearest client. */
export function requireClient(name: string): Client {
  const client = clients.find((candidate) => candidate.name === name);
  if (client !== undefined) return client;
  const names = clients.map((candidate) => candidate.name);
  throw invalidInput(`client: there is no client "${name}".${didYouMean(name, names)}`);
}
