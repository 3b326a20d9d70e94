import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { stateConflict } from "./errors.ts";

/**
 * Makes a folder, and missing ones above it, readable by its owner alone. Unlike the recursive form of
 * Node.js it terminates on file systems that take no folders, such as `/proc`. Throws conflict that names
 * what is in the way and what the file system says.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (isFolder(path)) return;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw stateConflict(
      `The folder ${path} cannot be made: ${REASONS[code] ?? code}. Name another folder.`,
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "there is a file of this name",
  ENOTDIR: "a part of the path is a file",
  ENOENT: "nothing can be made there",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
  ELOOP: "the path leads in a circle",
  ENAMETOOLONG: "the name is too long",
};

function isFolder(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return stats !== undefined;
  } catch {
    // Making the folder then reports what is in the way.
    return false;
  }
  throw stateConflict(`${path} is a file, where a folder is needed. Name another folder.`);
}
