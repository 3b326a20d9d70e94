import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isAlive } from "./is-alive.ts";

/** A draft is taken for abandoned after this time if its process cannot be checked. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;
const DRAFT = ".draft-";
const HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, "")
  .slice(0, 20);

/**
 * The name under which a file is written until it is complete. It contains host and process id, since process
 * ids are reused, especially in containers.
 */
export function draftName(path: string): string {
  return `${path}${DRAFT}${process.pid}-${HOST}-${randomBytes(4).toString("hex")}`;
}

/** Names of the drafts of these files that killed processes have left in a folder. */
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

/** Removes the drafts that killed processes have left. */
export function removeAbandonedDrafts(folder: string, isOurs: (file: string) => boolean): void {
  for (const name of abandonedDrafts(folder, isOurs)) rmSync(join(folder, name), { force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that does not exist yet holds no drafts.
    return [];
  }
}

function isOld(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}
