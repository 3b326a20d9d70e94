import { cp, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { pinFolder } from "../documents/pinned-folder.ts";
import type { GuardedProject } from "./sandbox-messages.ts";

/** Moves a file or folder of the project to where nothing acts upon it; undefined: it was gone. */
export async function setAside(
  path: string,
  { root, asideFolder }: GuardedProject,
): Promise<string | undefined> {
  const at = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const target = join(asideFolder, at, relative(root, path));
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  // Through the folder that holds it: a command that still runs may swap that for a link.
  const folder = await pinFolder(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (folder === undefined) return undefined;
  const from = folder.at(basename(path));
  try {
    await rename(from, target);
    return target;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code !== "EXDEV") throw error;
    await cp(from, target, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true, force: true });
    return target;
  } finally {
    await folder.close();
  }
}
