import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder in which the sandbox's library lies, with the programs by which it confines commands. */
export function libraryFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.resolve("@anthropic-ai/sandbox-runtime")));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
