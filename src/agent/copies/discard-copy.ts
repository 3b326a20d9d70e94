import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ProjectCopy } from "../ports/project-copy.ts";

/** Leaves nothing of it, wherever it was written: the project never knew of it. */
export function discardCopy({ folder }: Pick<ProjectCopy, "folder">): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A folder that may not be written, as tools that keep packages make them.
    openFolders(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function openFolders(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
  }
}
