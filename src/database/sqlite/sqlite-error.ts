import { dirname } from "node:path";
import {
  CairnError,
  causesOf,
  diskIsFull,
  isCairnError,
  tooManyFilesOpen,
} from "../../shared/errors.ts";
import { findLackOfSpace, hasRoomForFiles } from "../../shared/files.ts";

/** Translates an error of SQLite with the file `path` into one with a cure, without paths. */
export function translateSqliteError(
  error: unknown,
  path: string,
  findLack: (folder: string) => unknown = findLackOfSpace,
): unknown {
  if (isCairnError(error) || !(error instanceof Error)) return error;
  const cause = findSqliteCause(error);
  if (cause === undefined) return error;
  if (cause.code.startsWith("SQLITE_CANTOPEN") && !hasRoomForFiles(FILES_PER_CONNECTION)) {
    return tooManyFilesOpen(error);
  }
  const isFull = FULL_DISK.test(cause.code);
  const lack = FAILED_WRITE.test(cause.code) ? findLack(dirname(path)) : undefined;
  if (isFull || lack !== undefined) return diskIsFull(lack ?? error);
  const translated = TRANSLATIONS.find(([prefix]) => cause.code.startsWith(prefix));
  if (translated === undefined) return error;
  const [, code, message] = translated;
  return new CairnError(code, message, undefined, { cause: error });
}

/** Descriptors per connection: file, log, log index, synchronized folder, and one for reading. */
const FILES_PER_CONNECTION = 5;

/** The second code: the index of the log cannot grow. */
const FULL_DISK = /^SQLITE_(?:FULL|IOERR_SHMSIZE)/;
/** SQLite reports an exhausted quota as a failed write. */
const FAILED_WRITE = /^SQLITE_IOERR_(?:WRITE|FSYNC|DIR_FSYNC|TRUNCATE|CLOSE|SHM)/;

const TRANSLATIONS = [
  [
    "SQLITE_CORRUPT_VTAB",
    "conflict",
    "The search index of the database is damaged; the memory itself is not. `cairn doctor --fix` rebuilds it.",
  ],
  [
    "SQLITE_NOTADB",
    "conflict",
    "The database file is not a SQLite database. Move it away or choose another name with --db.",
  ],
  [
    "SQLITE_CORRUPT",
    "conflict",
    "The database file is damaged. Restore a backup, or rescue what is readable with `cairn export`.",
  ],
  [
    "SQLITE_READONLY",
    "conflict",
    "The database is read-only. Allow writing to its file and folder, or choose another --data-dir.",
  ],
  [
    "SQLITE_IOERR",
    "internal",
    "The disk could not be read or written: nothing was changed. Check its health and free space.",
  ],
  [
    "SQLITE_CANTOPEN",
    "conflict",
    "The database file cannot be opened. Check the data directory and its permissions.",
  ],
  [
    "SQLITE_BUSY",
    "busy",
    "Another process is writing to the database. Nothing was changed; try again in a moment.",
  ],
  [
    "SQLITE_LOCKED",
    "busy",
    "Another process is writing to the database. Nothing was changed; try again in a moment.",
  ],
] as const;

export function findSqliteCode(error: unknown): string | undefined {
  return error instanceof Error ? findSqliteCause(error)?.code : undefined;
}

/** Drizzle wraps the driver's error, so the code is on the innermost one. */
function findSqliteCause(error: Error): { code: string } | undefined {
  for (const inner of causesOf(error)) {
    if ("code" in inner && typeof inner.code === "string" && inner.code.startsWith("SQLITE_")) {
      return { code: inner.code };
    }
  }
  return undefined;
}
