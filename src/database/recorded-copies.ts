import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../shared/files.ts";
import { isPlainObject } from "../shared/json.ts";
import { databaseFileExists, tryStat } from "./sqlite/database-file.ts";

const COPIES_FILE = "copies.jsonl";

export interface RecordedCopy {
  readonly kind: "copy" | "backup" | "export";
  readonly database: string;
  readonly target: string;
  readonly at: string;
}

/**
 * Records the locations of database copies, so that a purge can report them. Appends one line per
 * copy, so that processes need no lock.
 */
export class RecordedCopies {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns false if the copy could not be recorded, as in a read-only folder. */
  add(copy: Omit<RecordedCopy, "at">): boolean {
    return this.#append({ ...copy, at: new Date().toISOString() });
  }

  renamed(database: string, to: string): void {
    this.#append({ kind: RENAMED_MARKER, database, target: to });
  }

  list(): readonly RecordedCopy[] {
    let copies: RecordedCopy[] = [];
    for (const line of this.#lines()) {
      if (line.kind === RENAMED_MARKER) copies = copies.map((copy) => afterRename(copy, line));
      else if (isCopy(line)) copies.push(line);
    }
    const newest = new Map(copies.map((copy) => [`${copy.database}\n${copy.target}`, copy]));
    return [...newest.values()].filter(({ kind, target }) =>
      kind === "copy" ? databaseFileExists(join(this.#folder, `${target}.db`)) : existsSync(target),
    );
  }

  #append(line: object): boolean {
    try {
      makeFolder(this.#folder);
      appendFileSync(join(this.#folder, COPIES_FILE), `${JSON.stringify(line)}\n`, { mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  #lines(): readonly Record<string, unknown>[] {
    const file = join(this.#folder, COPIES_FILE);
    if (tryStat(file)?.isFile() !== true) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .map(parsed)
      .filter((line) => line !== undefined);
  }
}

const RENAMED_MARKER = "renamed";

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCopy(line: Record<string, unknown>): line is Record<string, unknown> & RecordedCopy {
  const { kind, database, target, at } = line;
  return (
    ["copy", "backup", "export"].includes(String(kind)) &&
    [database, target, at].every((value) => typeof value === "string")
  );
}

function afterRename(
  copy: RecordedCopy,
  { database, target }: Record<string, unknown>,
): RecordedCopy {
  const named = (name: string) => (name === database ? String(target) : name);
  return {
    ...copy,
    database: named(copy.database),
    ...(copy.kind === "copy" && { target: named(copy.target) }),
  };
}
