import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { TrustStatus } from "../config/index.ts";
import { showPath } from "../shared/physical-path.ts";
import { showControl, showControlLine } from "../shared/text.ts";
import type { CommandLine } from "./command-line.ts";

/**
 * Asks for trust on the first start in a folder that someone else may have written. A refusal is
 * remembered until the content changes. Returns early if no config or command is found.
 */
export async function requestTrust(line: CommandLine): Promise<void> {
  const { env, cwd, stderr } = line;
  if (!hasProjectFiles(cwd)) return;
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

/** True if the folder or an ancestor contains cairn files. */
function hasProjectFiles(folder: string): boolean {
  const parent = dirname(folder);
  const isHere = [
    join(".cairn", "config.json"),
    join(".cairn", "commands"),
    join(".cairn", "memory"),
    ".mcp.json",
  ].some((name) => existsSync(join(folder, name)));
  return isHere || (parent !== folder && hasProjectFiles(parent));
}

export function describeTrust(status: TrustStatus): string {
  const { state, projectConfigFile, asksFor, commands, servers, memories } = status;
  if (state === "none" || state === "trusted") return "";
  const root = dirname(dirname(projectConfigFile));
  const show = (label: string, path: string) => showPath(join(root, path), { root, label });
  const head = state === "changed" ? "has changed since you trusted it. It sets" : "sets";
  const settings = asksFor.map(({ key, value }) => `  ${key}: ${JSON.stringify(value)}\n`);
  const body = settings.length === 0 ? "  nothing that needs trust\n" : settings.join("");
  const named = commands.map((name) =>
    show(name, join(".cairn", "commands", `${name.slice(1)}.md`)),
  );
  const contents =
    commands.length === 0
      ? ""
      : `Its commands are sent to the model as your messages: ${named.join(", ")}\n`;
  const started =
    servers.length === 0
      ? ""
      : `${show(".mcp.json", ".mcp.json")} has cairn start\n  ${servers.map(showControlLine).join("\n  ")}\n`;
  const memory = join(".cairn", "memory");
  const remembered =
    memories === 0
      ? ""
      : `${show(".cairn/memory", memory)} has ${memories} files, which \`cairn sync\` would import as statements of your project\n`;
  const file = showPath(projectConfigFile, { root });
  return `${file} ${head}\n${showControl(body)}${contents}${started}${remembered}`;
}

export async function askForTrust(line: CommandLine): Promise<boolean | undefined> {
  if (line.stdin.isTTY !== true) return undefined;
  const question = createInterface({ input: line.stdin, output: line.stderr });
  try {
    const answer = await question.question("Trust this project? [y/N] ");
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    question.close();
  }
}
