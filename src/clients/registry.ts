import { invalidInput } from "../shared/errors.ts";
import { didYouMean } from "../shared/nearest.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import type { Client } from "./client.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueDev } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/** Every client that cairn can connect itself to, in the order in which they are listed. */
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

/** Throws invalid_input that names the nearest client. */
export function requireClient(name: string): Client {
  const client = clients.find((candidate) => candidate.name === name);
  if (client !== undefined) return client;
  const names = clients.map((candidate) => candidate.name);
  throw invalidInput(`client: there is no client "${name}".${didYouMean(name, names)}`);
}
