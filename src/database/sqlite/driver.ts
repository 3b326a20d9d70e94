import DatabaseConstructor, { type Database as Connection } from "better-sqlite3";

export type { Connection };

/**
 * A connection of SQLite's driver, the one place where any is made. Only a URL can say that a file is
 * immutable, and the driver asks the environment once, for the first connection of a process, whether
 * it takes any; programs that are started later need not know.
 */
export function connectDriver(
  file: string,
  options: { readonly?: boolean; fileMustExist?: boolean; timeout?: number },
): Connection {
  const before = process.env.SQLITE_USE_URI;
  process.env.SQLITE_USE_URI = "1";
  try {
    return new DatabaseConstructor(file, options);
  } finally {
    if (before === undefined) delete process.env.SQLITE_USE_URI;
    else process.env.SQLITE_USE_URI = before;
  }
}
