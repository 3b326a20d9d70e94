import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface ProgramOptions {
  /** Folder of the running package. */
  readonly packageRoot: string;
  /** Folder for programs, outside npx's cache. */
  readonly programs: string;
  readonly version: string;
}

/**
 * Package folder that clients start: the running package, or `copyProgramIfTemporary`'s copy if it is in npx's
 * cache. npx itself takes half a second per call and empties its cache.
 */
export function stableRoot({ packageRoot, programs, version }: ProgramOptions): string {
  if (!isInNpxCache(packageRoot)) return packageRoot;
  return join(programs, version, "node_modules", basename(packageRoot));
}

/**
 * Copies the package and its dependencies out of npx's cache, and removes other versions that no
 * config in `mentions` names. Does nothing for an installed package.
 */
export async function copyProgramIfTemporary(
  options: ProgramOptions,
  mentions: () => readonly string[],
): Promise<void> {
  const { packageRoot, programs, version } = options;
  if (!isInNpxCache(packageRoot)) return;
  const target = join(programs, version);
  if (!existsSync(target)) {
    const draft = `${target}.${process.pid}`;
    await mkdir(draft, { recursive: true });
    try {
      await cp(dirname(packageRoot), join(draft, "node_modules"), { recursive: true });
      await rename(draft, target);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  const texts = mentions();
  for (const name of await readdir(programs)) {
    const folder = join(programs, name);
    const isUsed = name === version || texts.some((text) => text.includes(folder));
    if (!isUsed) await rm(folder, { recursive: true, force: true });
  }
}

function isInNpxCache(packageRoot: string): boolean {
  return packageRoot.split(/[\\/]/).includes("_npx");
}
