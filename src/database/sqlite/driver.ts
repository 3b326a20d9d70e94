import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import DatabaseConstructor, { type Database as Connection } from "better-sqlite3";
import { invalidInput, messageOf } from "../../shared/errors.ts";
import { packageRoot } from "../../shared/package.ts";

export type { Connection };

/** First Node.js supported by driver version 13; Node.js 20 crashes in it. */
const MIN_NODE_OF_DRIVER_13 = 22;
/**
 * Locations of version 13: in a published package, and in a checkout after `npm install --no-save
 * better-sqlite3-13@npm:better-sqlite3@13.0.3`.
 */
const DRIVER_13_PATHS = ["dist/driver/lib/index.js", "node_modules/better-sqlite3-13/lib/index.js"];

/**
 * The only function that opens SQLite connections. A buffer is opened in memory. Only a URL can
 * declare a file immutable, and the driver reads an environment variable once, at the first
 * connection, to enable URLs. Child processes do not inherit it.
 */
export function connectDriver(
  file: string | Buffer,
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
 * Version 12 aborts on Node.js 24.19 and newer when statements are garbage-collected while no
 * script runs; version 13 requires Node.js 22. 13.2 is not used, because recall finds less with its
 * SQLite 3.54.
 */
function driverOfThisNode(): typeof DatabaseConstructor {
  const path = pathOfDriver13(packageRoot());
  return path === undefined ? DatabaseConstructor : createRequire(import.meta.url)(path);
}

/** Path of driver version 13 for this Node.js; undefined if it is missing or unsupported. */
export function pathOfDriver13(root: string, node = process.versions.node): string | undefined {
  if (Number.parseInt(node, 10) < MIN_NODE_OF_DRIVER_13) return undefined;
  return DRIVER_13_PATHS.map((path) => join(root, path)).find((path) => existsSync(path));
}

export type OtherRow = Readonly<Record<string, unknown>>;

export class OtherDatabase implements Disposable {
  readonly #database: Connection;
  readonly #label: string;

  /** `label` is its name in errors. Throws invalid_input for an unreadable database. */
  constructor(path: string, label = path) {
    this.#label = label;
    try {
      this.#database = connectDriver(path, { readonly: true, fileMustExist: true });
    } catch (error) {
      throw unreadable(label, error);
    }
  }

  has(table: string, columns: readonly string[] = []): boolean {
    const known = new Set(
      [...this.rows("select name from pragma_table_info(?)", table)].map(({ name }) => name),
    );
    return known.size > 0 && columns.every((column) => known.has(column));
  }

  *rows(statement: string, ...values: readonly unknown[]): Generator<OtherRow> {
    try {
      for (const row of this.#database.prepare(statement).iterate(...values)) yield row as OtherRow;
    } catch (error) {
      throw unreadable(this.#label, error);
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function unreadable(label: string, error: unknown): Error {
  return invalidInput(
    `file: ${label} cannot be read as a SQLite database (${messageOf(error)}); close the program that uses it, or use a complete copy`,
  );
}
