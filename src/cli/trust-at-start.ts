import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { askForTrust, describeTrust } from "./ask-for-trust.ts";
import type { CommandLine } from "./command-line.ts";

/**
 * Asks for trust at the first start in a folder that somebody else may have written. A no is
 * remembered until what was shown changes. Returns at once if neither the folder nor one above it
 * has a config or a command.
 */
export async function trustAtStart(line: CommandLine): Promise<void> {
  const { env, cwd, stderr } = line;
  if (!mayBring(cwd)) return;
  const { declineProject, trustProject, trustStatus } = await import("../config/index.ts");
  const status = trustStatus({ env, cwd });
  const isOpen = status.state === "untrusted" || status.state === "changed";
  const brings = [status.asksFor, status.commands, status.servers, Array(status.memories)];
  if (!isOpen || brings.every((list) => list.length === 0)) return;
  stderr.write(describeTrust(status));
  const answer = await askForTrust(line);
  if (answer === undefined) return;
  if (answer) trustProject({ env, cwd }, status.hash);
  else declineProject({ env, cwd }, status.hash);
}

/**
 * True if the folder or one above it contains anything of cairn's; the config decides what counts.
 */
function mayBring(folder: string): boolean {
  const parent = dirname(folder);
  const isHere = [
    join(".cairn", "config.json"),
    join(".cairn", "commands"),
    join(".cairn", "memory"),
    ".mcp.json",
  ].some((name) => existsSync(join(folder, name)));
  return isHere || (parent !== folder && mayBring(parent));
}
