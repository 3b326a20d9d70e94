import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isAlive } from "./is-alive.ts";

/** A draft whose process cannot be asked after is taken for abandoned after this. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;
const DRAFT = ".draft-";
const HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, "")
  .slice(0, 20);

/**
 * The name under which a file is written until it is whole. It tells host and process, since
 * process ids come again, in containers especially.
 */
export function draftName(path: string): string {
  return `${path}${DRAFT}${process.pid}-${HOST}-${randomBytes(4).toString("hex")}`;
}

/** What processes that were killed have left of drafts of these files of a folder: names. */
export function abandonedDrafts(folder: string, isOurs: (file: string) => boolean): string[] {
  return namesIn(folder).filter((name) => {
    const start = name.lastIndexOf(DRAFT);
    if (start < 0 || !isOurs(name.slice(0, start))) return false;
    const [, pid, host] =
      /^(\d+)(?:-([A-Za-z0-9]*)-[0-9a-f]{8})?/.exec(name.slice(start + DRAFT.length)) ?? [];
    if (pid === undefined) return false;
    const isDead = (host === undefined || host === HOST) && !isAlive(Number(pid));
    return isDead || isOld(join(folder, name));
  });
}

/** Removes them. */
export function removeAbandonedDrafts(folder: string, isOurs: (file: string) => boolean): void {
  for (const name of abandonedDrafts(folder, isOurs)) rmSync(join(folder, name), { force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that is not there yet holds no drafts.
    return [];
  }
}

function isOld(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}
