import { describe } from "vitest";
import {
  type Database,
  type Engine,
  openDatabaseBackend,
  SqliteDatabase,
} from "../../src/database/index.ts";
import { describeOnPostgres, takePostgresDatabase } from "./postgres/test-database.ts";

export interface EmptyDatabase extends AsyncDisposable {
  readonly database: Database;
}

export function describeOnEveryEngine(
  title: string,
  tests: (open: () => EmptyDatabase) => void,
): void {
  describe(`${title} (SQLite)`, () => tests(() => openEmptyDatabase("sqlite")));
  describeOnPostgres(`${title} (PostgreSQL)`, () => tests(() => openEmptyDatabase("postgres")));
}

export function openEmptyDatabase(engine: Engine): EmptyDatabase {
  return engine === "sqlite" ? openEmptySqlite() : openEmptyPostgres();
}

function openEmptySqlite(): EmptyDatabase {
  const database = new SqliteDatabase({ path: ":memory:" });
  return { database, [Symbol.asyncDispose]: () => database.close() };
}

export function openEmptyPostgres(options?: { readonly vectors: boolean }): EmptyDatabase {
  const address = takePostgresDatabase(options);
  const backend = openDatabaseBackend({ folder: "", address: address.url, isName: () => true });
  const database = backend.open("default");
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await backend.close();
      address[Symbol.dispose]();
    },
  };
}
