import { randomBytes } from "node:crypto";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { pinFolder } from "../documents/pinned-folder.ts";
import { isGone } from "./look-at.ts";
import type { GuardedProject } from "./sandbox-messages.ts";

/**
 * Moves a file or folder of the project to where nothing acts upon it, a place of its own, so that nothing
 * that was moved before is overwritten. `note` is told where to before that happens. Undefined: it was gone.
 */
export async function setAside(
  path: string,
  { root, asideFolder }: GuardedProject,
  note: (to: string) => Promise<void>,
): Promise<string | undefined> {
  const at = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const place = join(asideFolder, `${at}-${randomBytes(4).toString("hex")}`);
  const target = join(place, relative(root, path));
  // Through the folder that holds it: a command that still runs may swap that for a link.
  const folder = await pinFolder(dirname(path)).catch((error: unknown) => {
    if (isGone(error)) return undefined;
    throw error;
  });
  if (folder === undefined) return undefined;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await note(target);
    return (await move(folder.at(basename(path)), target)) ? target : undefined;
  } finally {
    await folder.close();
  }
}

async function move(from: string, target: string): Promise<boolean> {
  try {
    await rename(from, target);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    // Whole at the other place before it is gone from this one.
    await cp(from, target, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true, force: true });
    return true;
  }
}
