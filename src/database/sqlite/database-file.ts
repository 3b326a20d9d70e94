import { chmodSync, closeSync, openSync, readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";

export function fileIdentity(path: string): string | undefined {
  const stats = tryStat(path);
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

/** Ignores an empty file, which a full disk may leave during the first write. */
export function databaseFileExists(path: string): boolean {
  if (path === ":memory:") return false;
  const stats = tryStat(path);
  return stats !== undefined && (!stats.isFile() || stats.size > 0n);
}

export function fileOfOtherCase(path: string): string | undefined {
  if (path === ":memory:") return undefined;
  const name = basename(path);
  return listNames(dirname(path)).find(
    (other) => other !== name && other.toLowerCase() === name.toLowerCase(),
  );
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns true for a regular file or a missing one. */
export function isFileOrNothing(path: string): boolean {
  return tryStat(path)?.isFile() ?? true;
}

export function fileSize(path: string): number {
  return Number(tryStat(path)?.size ?? 0);
}

/** Creates the file with owner-only permissions, which SQLite applies to the files next to it. */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, "wx", OWNER_ONLY_MODE));
  } catch {
    // The file exists, or SQLite reports the obstacle below.
  }
}

export function makePrivate(path: string): void {
  const stats = tryStat(path);
  if (stats === undefined || (Number(stats.mode) & 0o077) === 0) return;
  if (process.getuid?.() === Number(stats.uid)) chmodSync(path, OWNER_ONLY_MODE);
}

const OWNER_ONLY_MODE = 0o600;

export function tryStat(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A symlink loop or unreadable folder contains nothing to open.
    return undefined;
  }
}
