import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type DatabaseBackend, openDatabaseBackend } from "../../src/database/index.ts";
import { isDatabaseName } from "../../src/memory/index.ts";
import { type PostgresDatabaseHandle, takePostgresDatabase } from "./postgres/test-database.ts";
import { copyMigratedDatabase } from "./start-migrated.ts";

/** Engine of the test databases, chosen by TEST_DATABASE. */
export const ENGINE: "sqlite" | "postgres" =
  process.env.TEST_DATABASE === "postgres" ? "postgres" : "sqlite";

/** Returns the backend for a folder: its files, or a PostgreSQL database assigned to it. */
export function openBackend(folder: string): DatabaseBackend {
  if (ENGINE === "postgres") {
    return openDatabaseBackend({ folder, address: databaseUrlFor(folder), isName: isDatabaseName });
  }
  const backend = openDatabaseBackend({ folder, isName: isDatabaseName });
  const open = backend.open.bind(backend);
  backend.open = (name, options) =>
    copyMigratedDatabase(open(name, options), join(folder, `${name}.db`));
  return backend;
}

export function backendVariables(folder: string): Readonly<Record<string, string>> {
  return { CAIRN_DATA_DIR: folder, ...databaseVariables(folder) };
}

/** The same, for a process that finds its data folder itself. */
export function databaseVariables(folder: string): Readonly<Record<string, string>> {
  return ENGINE === "postgres" ? { CAIRN_DATABASE: databaseUrlFor(folder) } : {};
}

interface Held {
  readonly place: PostgresDatabaseHandle;
  /** The folder or its nearest existing parent. The database is dropped once this is gone. */
  readonly anchor: string;
}

const held = new Map<string, Held>();

function databaseUrlFor(folder: string): string {
  for (const [path, { place, anchor }] of held) {
    if (existsSync(anchor)) continue;
    place[Symbol.dispose]();
    held.delete(path);
  }
  const known = held.get(folder) ?? { place: takePostgresDatabase(), anchor: nearest(folder) };
  held.set(folder, known);
  return known.place.url;
}

function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder));
}
