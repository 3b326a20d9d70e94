import { linkSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { stateConflict } from "../../shared/errors.ts";
import { makeFolder, temporaryName } from "../../shared/files.ts";

/**
 * Fills a new database under a temporary name and renames it when complete, so that a failure
 * leaves no file and nobody reads a partial one. `fill` must close what it opened.
 */
export async function fillFile<T>(path: string, fill: (draft: string) => Promise<T>): Promise<T> {
  const draft = temporaryName(path);
  makeFolder(dirname(draft));
  try {
    const result = await fill(draft);
    linkDraft(draft, path);
    return result;
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/** A link never replaces a database that another process has created in the meantime. */
function linkDraft(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!exists) throw error;
    throw stateConflict(
      `Another process has just created the database "${basename(path, ".db")}".`,
    );
  }
}
