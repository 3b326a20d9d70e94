import { randomBytes } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { devNull, homedir, hostname } from "node:os";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import {
  FILE_ERROR_REASONS,
  isMissingFile,
  lacksDescriptors,
  lacksSpace,
  stateConflict,
  systemErrorCode,
} from "./errors.ts";
import { isAlive } from "./process-lock.ts";

/**
 * Creates a folder and its parents, accessible only to the owner. Unlike recursive mkdir,
 * terminates on file systems such as `/proc`. Throws conflict naming the obstacle.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (isFolder(path)) return;
    const code = systemErrorCode(error);
    throw stateConflict(
      `Cannot create the folder ${path}: ${FOLDER_ERROR_REASONS[code] ?? code}. Choose another folder.`,
    );
  }
}

const FOLDER_ERROR_REASONS: Readonly<Record<string, string>> = {
  ...FILE_ERROR_REASONS,
  EEXIST: "a file with this name exists",
  ENOENT: "the location does not allow new folders",
  ENAMETOOLONG: "the name is too long",
};

function isFolder(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return stats !== undefined;
  } catch {
    return false;
  }
  throw stateConflict(`${path} is a file, not a folder. Choose another folder.`);
}

export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

export function hasRoomForFiles(count: number): boolean {
  const opened: number[] = [];
  try {
    for (let n = 0; n < count; n += 1) opened.push(openSync(devNull, "r"));
    return true;
  } catch (error) {
    if (lacksDescriptors(error)) return false;
    throw error;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

const PROBE_BYTES = 64 * 1024;

/** Writes and removes a file in the folder. Returns the error if it has no space for it. */
export function findLackOfSpace(folder: string): unknown {
  const path = join(folder, `.space-${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    writeFileSync(path, Buffer.alloc(PROBE_BYTES), { flag: "wx", mode: 0o600, flush: true });
    return undefined;
  } catch (error) {
    return lacksSpace(error) ? error : undefined;
  } finally {
    rmSync(path, { force: true });
  }
}

const ABANDONED_MS = 24 * 60 * 60 * 1000;
const DRAFT_SUFFIX = ".draft-";
const HOST_NAME = hostname()
  .replace(/[^A-Za-z0-9]/g, "")
  .slice(0, 20);

/**
 * Returns a temporary name for a file being written. Includes host and process id, since process
 * ids are reused, especially in containers.
 */
export function temporaryName(path: string): string {
  return `${path}${DRAFT_SUFFIX}${process.pid}-${HOST_NAME}-${randomBytes(4).toString("hex")}`;
}

export function abandonedDrafts(folder: string, isOurs: (file: string) => boolean): string[] {
  return listFolder(folder).filter((name) => {
    const start = name.lastIndexOf(DRAFT_SUFFIX);
    if (start < 0 || !isOurs(name.slice(0, start))) return false;
    const [, pid, host] =
      /^(\d+)(?:-([A-Za-z0-9]*)-[0-9a-f]{8})?/.exec(name.slice(start + DRAFT_SUFFIX.length)) ?? [];
    if (pid === undefined) return false;
    const isDead = (host === undefined || host === HOST_NAME) && !isAlive(Number(pid));
    return isDead || isAbandoned(join(folder, name));
  });
}

export function removeAbandonedDrafts(folder: string, isOurs: (file: string) => boolean): void {
  for (const name of abandonedDrafts(folder, isOurs)) rmSync(join(folder, name), { force: true });
}

function isAbandoned(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}

/** A server URL such as `postgres://host/name`. */
const URL_PATTERN = /^[a-z]+:\/\//;

/**
 * Formats a database location without absolute paths: `~/…` below the home folder, otherwise the
 * last component. Server addresses stay unchanged.
 */
export function displayLocation(location: string, home = homedir()): string {
  if (URL_PATTERN.test(location)) return location;
  const below = relative(home, location);
  if (below !== "" && !below.startsWith("..") && !isAbsolute(below)) return `~/${below}`;
  return `…/${basename(location)}`;
}
