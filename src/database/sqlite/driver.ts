import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import DatabaseConstructor, { type Database as Connection } from "better-sqlite3";
import { packageRoot } from "../../kernel/package-root.ts";

export type { Connection };

/** From here on Node.js has what the driver's version 13 calls; 20 breaks off in it. */
const OLDEST_NODE_OF_13 = 22;
/** In a package and in a checkout. */
const PLACES_OF_13 = ["dist/driver/lib/index.js", "node_modules/better-sqlite3-13/lib/index.js"];

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
    const Driver = driverOfThisNode();
    return new Driver(file, options);
  } finally {
    if (before === undefined) delete process.env.SQLITE_USE_URI;
    else process.env.SQLITE_USE_URI = before;
  }
}

/**
 * Version 12 aborts the process on Node.js 24.19 and newer, whenever its statements are collected
 * while no script runs; 13 knows no Node.js before 22. Not 13.2 yet: with its SQLite 3.54 recall finds less.
 */
function driverOfThisNode(): typeof DatabaseConstructor {
  const path = pathOfDriver13(packageRoot());
  return path === undefined ? DatabaseConstructor : createRequire(import.meta.url)(path);
}

/** Where version 13 lies for this Node.js; undefined where it is not there or not for it. */
export function pathOfDriver13(root: string, node = process.versions.node): string | undefined {
  if (Number.parseInt(node, 10) < OLDEST_NODE_OF_13) return undefined;
  return PLACES_OF_13.map((place) => join(root, place)).find((path) => existsSync(path));
}
