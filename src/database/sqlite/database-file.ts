import { chmodSync, closeSync, openSync, readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";

/** Which file a path leads to: device and inode. Undefined when it leads to none. */
export function identityOf(path: string): string | undefined {
  const stats = statOf(path);
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

/**
 * Whether a database is there. An empty file is none: it is what is left where a disk was too full
 * for the first write.
 */
export function databaseFileExists(path: string): boolean {
  if (path === ":memory:") return false;
  const stats = statOf(path);
  return stats !== undefined && (!stats.isFile() || stats.size > 0n);
}

/** A file beside it whose name differs in case only, where there is one. */
export function fileOfOtherCase(path: string): string | undefined {
  if (path === ":memory:") return undefined;
  const name = basename(path);
  return namesIn(dirname(path)).find(
    (other) => other !== name && other.toLowerCase() === name.toLowerCase(),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that is not there yet holds nothing; another reason is told by the write itself.
    return [];
  }
}

/** Whether SQLite can be given the path: it leads to a regular file, or to nothing yet. */
export function isFileOrNothing(path: string): boolean {
  return statOf(path)?.isFile() ?? true;
}

/** Bytes of a file; 0 when it is not there. */
export function sizeOf(path: string): number {
  return Number(statOf(path)?.size ?? 0);
}

/** Makes the file for its owner alone; SQLite gives the files beside it the same rights. */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, "wx", OWNER_ONLY));
  } catch {
    // It is there already, or SQLite says below what is in the way.
  }
}

/** Takes others' rights away from a file that was made without care for them. */
export function makePrivate(path: string): void {
  const stats = statOf(path);
  if (stats === undefined || (Number(stats.mode) & 0o077) === 0) return;
  if (process.getuid?.() === Number(stats.uid)) chmodSync(path, OWNER_ONLY);
}

const OWNER_ONLY = 0o600;

/** Undefined for what cannot be looked at: nothing that could be opened. */
export function statOf(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A loop of links, or a folder that may not be read: nothing that could be opened.
    return undefined;
  }
}
