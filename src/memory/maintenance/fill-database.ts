import { linkSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Database, type Tx } from "../../database/index.ts";
import { draftName } from "../../kernel/draft-file.ts";
import { stateConflict } from "../../kernel/errors.ts";
import type { MemoryEngine } from "../open-memory.ts";
import { removeDrafts } from "./drafts.ts";

/**
 * Runs `body` in one transaction on the database. One that does not exist yet is filled under
 * another name and takes its own once it is whole, so that a failure leaves no file behind and
 * nobody reads half of it.
 */
export async function fillDatabase<T>(
  memory: MemoryEngine,
  body: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (memory.exists) return memory.database.write(body);
  const draft = draftName(memory.path);
  mkdirSync(dirname(draft), { recursive: true, mode: 0o700 });
  removeDrafts(memory);
  try {
    const database = new Database({ path: draft });
    try {
      const result = await database.write(body);
      await database.close();
      giveName(draft, memory);
      return result;
    } finally {
      await database.close();
    }
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/** A link never replaces a database that another process has made meanwhile. */
function giveName(draft: string, memory: MemoryEngine): void {
  try {
    linkSync(draft, memory.path);
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!exists) throw error;
    throw stateConflict(`Another process has just made the database "${memory.name}".`);
  }
}
