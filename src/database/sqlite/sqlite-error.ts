import { CairnError, isCairnError, tooManyFilesOpen } from "../../shared/errors.ts";
import { hasRoomForFiles } from "../../shared/files.ts";

/** Translates a SQLite file error into one with a cure, without paths. */
export function translateSqliteError(error: unknown): unknown {
  if (isCairnError(error) || !(error instanceof Error)) return error;
  const cause = findSqliteCause(error);
  if (cause === undefined) return error;
  if (cause.code.startsWith("SQLITE_CANTOPEN") && !hasRoomForFiles(FILES_PER_CONNECTION)) {
    return tooManyFilesOpen(error);
  }
  const translated = TRANSLATIONS.find(([prefix]) => cause.code.startsWith(prefix));
  if (translated === undefined) return error;
  const [, code, message] = translated;
  return new CairnError(code, message, undefined, { cause: error });
}

/** Descriptors per connection: file, log, log index, synchronized folder, and one for reading. */
const FILES_PER_CONNECTION = 5;

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
    "SQLITE_FULL",
    "storage_full",
    "The disk is full: nothing was written. Free some space and try again.",
  ],
  [
    // The index of the log cannot grow.
    "SQLITE_IOERR_SHMSIZE",
    "storage_full",
    "The disk is full: nothing was written. Free some space and try again.",
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
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && typeof inner.code === "string" && inner.code.startsWith("SQLITE_")) {
      return { code: inner.code };
    }
  }
  return undefined;
}
