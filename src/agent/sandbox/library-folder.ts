import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export function libraryFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.resolve("@anthropic-ai/sandbox-runtime")));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
