import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { fileReason, isMissingFile, stateConflict } from "../../shared/errors.ts";

/** Returns undefined for a missing file. Throws conflict for a path that cannot be followed. */
export function fileIdentity(path: string): string | undefined {
  const stats = statReachable(path);
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

/**
 * Ignores a file without tables, which a full disk may leave during the first write. Throws
 * conflict for a path that cannot be followed: it must not read as an empty memory.
 */
export function databaseFileExists(path: string): boolean {
  if (path === ":memory:") return false;
  const stats = statReachable(path);
  return (
    stats !== undefined && (!stats.isFile() || (stats.size > 0n && !lacksTables(path, stats.size)))
  );
}

const PAGE_BYTES = 4096n;
const SQLITE_HEADER = Buffer.from("SQLite format 3\0");
/** Number of entries on the first page, which lists the tables. */
const TABLE_COUNT_OFFSET = 103;

function lacksTables(path: string, size: bigint): boolean {
  if (size !== PAGE_BYTES || fileSize(`${path}-wal`) > 0) return false;
  try {
    const page = readFileSync(path);
    const isDatabase = page.subarray(0, SQLITE_HEADER.length).equals(SQLITE_HEADER);
    return isDatabase && page.readUInt16BE(TABLE_COUNT_OFFSET) === 0;
  } catch {
    // SQLite reports why the file cannot be read.
    return false;
  }
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

function statReachable(path: string) {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    if (!isMissingFile(error)) throw unreachable(path, fileReason(error));
    if (endsInBrokenLink(path)) throw unreachable(path, "it is a link to a missing file or folder");
    return undefined;
  }
}

function unreachable(path: string, reason: string) {
  return stateConflict(
    `${basename(path)} cannot be reached: ${reason}. Check the data directory, or choose another with --data-dir.`,
  );
}

/** Returns true if the deepest existing part of a missing path is a link, such as to an unmounted disk. */
function endsInBrokenLink(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) return stats.isSymbolicLink() && !existsSync(path);
  return dirname(path) !== path && endsInBrokenLink(dirname(path));
}

export function tryStat(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A symlink loop or unreadable folder contains nothing to open.
    return undefined;
  }
}
