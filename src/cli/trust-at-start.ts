import { existsSync } from "node:fs";
import { join } from "node:path";
import { askForTrust, describeTrust } from "./ask-for-trust.ts";
import type { CommandLine } from "./command-line.ts";

/**
 * The question of the first start in a folder that somebody else may have written. A no is kept
 * too, until what was shown changes. Costs nothing where the folder brings no config and no command.
 */
export async function trustAtStart(line: CommandLine): Promise<void> {
  const { env, cwd, stderr } = line;
  const brings = ["config.json", "commands"].some((name) => existsSync(join(cwd, ".cairn", name)));
  if (!brings) return;
  const { declineProject, trustProject, trustStatus } = await import("../config/index.ts");
  const status = trustStatus({ env, cwd });
  const isOpen = status.state === "untrusted" || status.state === "changed";
  if (!isOpen || (status.asksFor.length === 0 && status.commands.length === 0)) return;
  stderr.write(describeTrust(status));
  const answer = await askForTrust(line);
  if (answer === undefined) return;
  if (answer) trustProject({ env, cwd }, status.hash);
  else declineProject({ env, cwd }, status.hash);
}
