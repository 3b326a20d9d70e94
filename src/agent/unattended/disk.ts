import { lstatSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { LimitReached } from "./night-limits.ts";

/** What is free where files are written, and how much lies in a folder; bytes. */
export interface Disk {
  freeBytes(folder: string): number;
  sizeOf(folder: string): number;
}

/** Less, and a machine gets into trouble by itself. */
const LEAST_FREE = 200 * 1024 * 1024;

export const systemDisk: Disk = {
  freeBytes(folder) {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  sizeOf,
};

function sizeOf(folder: string): number {
  let sum = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      // Blocks that files share are counted for each: the limit is kept all the sooner.
      else sum += (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
    }
  }
  return sum;
}

/** Commands remove folders while they are measured. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES" || code === "ENOTDIR") return [];
    throw error;
  }
}

/** Throws LimitReached. */
export function requireRoom(
  disk: Disk,
  {
    folder,
    copies,
    mostMb,
  }: { folder: string; copies: readonly string[]; mostMb: number | undefined },
): void {
  const free = disk.freeBytes(folder);
  if (free < LEAST_FREE) {
    throw new LimitReached("space", `Only ${megabytes(free)} MB of disk are free at ${folder}.`);
  }
  if (mostMb === undefined) return;
  const used = copies.reduce((sum, copy) => sum + disk.sizeOf(copy), 0);
  if (used > mostMb * 1024 * 1024) {
    throw new LimitReached(
      "diskMb",
      `The copies take ${megabytes(used)} MB, and ${mostMb} MB is the limit.`,
    );
  }
}

function megabytes(bytes: number): string {
  return Math.floor(bytes / 1024 / 1024).toLocaleString("en");
}
