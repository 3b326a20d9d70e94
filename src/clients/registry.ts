import { invalidInput } from "../shared/errors.ts";
import { didYouMean } from "../shared/nearest.ts";
import { claudeCode } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { copilot } from "./copilot.ts";
import { goose } from "./goose.ts";
import { codex, gemini } from "./hook-answers.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { claudeDesktop, cline, continueDev, cursor, vscode, windsurf } from "./server-entry.ts";
import { zed } from "./zed.ts";

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
