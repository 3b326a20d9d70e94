import { readdirSync } from "node:fs";
import { join } from "node:path";

/** How many files of memory a project brings, which `cairn sync` takes in. */
export function projectMemories(projectRoot: string): number {
  try {
    const entries = readdirSync(join(projectRoot, ".cairn", "memory"), { recursive: true });
    return entries.filter((name) => String(name).endsWith(".md")).length;
  } catch {
    // A folder that nobody made is the usual case, and one that cannot be read holds nothing.
    return 0;
  }
}
