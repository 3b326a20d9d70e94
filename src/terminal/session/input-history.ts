import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissingFile } from "../../shared/errors.ts";

export interface InputHistory {
  load(): Promise<readonly string[]>;
  append(entry: string): Promise<void>;
}

const MAX_ENTRIES = 1000;
const MAX_ENTRY_CHARACTERS = 64 * 1024;
/** Other terminals hold the lock only briefly. */
const LOCK_RETRIES = { retries: 40, minTimeout: 10, maxTimeout: 50 };
const COMPACTION_SLACK = 500;

export function createInputHistory(locate: () => Promise<string>): InputHistory {
  return {
    load: async () => {
      const path = await locate();
      const entries = parseEntries(await readIfThere(path));
      if (entries.length > MAX_ENTRIES + COMPACTION_SLACK) await compactFile(path);
      return entries.slice(-MAX_ENTRIES);
    },
    append: async (entry) => {
      if (entry.trim() === "" || entry.length > MAX_ENTRY_CHARACTERS) return;
      const path = await locate();
      await withLock(path, () => appendFile(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 }));
    },
  };
}

/** Skips invalid lines and consecutive duplicates. */
function parseEntries(content: string): readonly string[] {
  const entries: string[] = [];
  for (const line of content.split("\n")) {
    const entry = parseEntry(line);
    if (entry !== undefined && entry !== entries.at(-1)) entries.push(entry);
  }
  return entries;
}

function parseEntry(line: string): string | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? entry : undefined;
  } catch {
    // Incomplete after a power failure, or written by another program.
    return undefined;
  }
}

async function compactFile(path: string): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await withLock(path, async () => {
    const entries = parseEntries(await readIfThere(path)).slice(-MAX_ENTRIES);
    const content = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    await writeFileAtomic(path, content, { mode: 0o600 });
  });
}

async function withLock(path: string, work: () => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { default: lockfile } = await import("proper-lockfile");
  const release = await lockfile.lock(path, {
    realpath: false,
    retries: LOCK_RETRIES,
  });
  try {
    await work();
  } finally {
    await release();
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissingFile(error)) return "";
    throw error;
  }
}
