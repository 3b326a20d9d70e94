import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The names under which projects keep instructions for agents; the first that is there counts. */
export const INSTRUCTION_NAMES: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

/** Folders that are no work of the project. */
const SKIPPED = new Set(["node_modules", "dist", "build", "target", "vendor", "coverage"]);
const MOST_FOLDERS = 1_500;
const MOST_FILES = 30;
const DEEPEST = 4;
/** A prompt does not wait longer for them; milliseconds. */
const PATIENCE_MS = 150;

/** Instruction files in the folders below, relative to the root, those nearest to it first. */
export async function nestedInstructions(root: string): Promise<readonly string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  const found: string[] = [];
  let folders = [""];
  let seen = 0;
  for (let depth = 0; depth < DEEPEST && folders.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of folders) {
      if (seen === MOST_FOLDERS || found.length >= MOST_FILES) return found;
      if (performance.now() > deadline) return found;
      seen += 1;
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
      const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
      const name = INSTRUCTION_NAMES.find((one) => names.has(one));
      if (folder !== "" && name !== undefined) found.push(`${folder}${name}`);
      next.push(
        ...entries
          .filter((entry) => entry.isDirectory() && !isSkipped(entry.name))
          .map((entry) => `${folder}${entry.name}/`)
          .sort(),
      );
    }
    folders = next;
  }
  return found;
}

function isSkipped(name: string): boolean {
  return name.startsWith(".") || SKIPPED.has(name);
}
