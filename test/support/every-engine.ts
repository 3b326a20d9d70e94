import { describe } from "vitest";
import { type Database, type Engine, openPlace, SqliteDatabase } from "../../src/database/index.ts";
import { describeOnPostgres, postgresPlace } from "./postgres/postgres-place.ts";

export interface EmptyDatabase extends AsyncDisposable {
  readonly database: Database;
}

export function describeOnEveryEngine(
  title: string,
  tests: (open: () => EmptyDatabase) => void,
): void {
  describe(`${title} (SQLite)`, () => tests(() => emptyDatabaseOf("sqlite")));
  describeOnPostgres(`${title} (PostgreSQL)`, () => tests(() => emptyDatabaseOf("postgres")));
}

export function emptyDatabaseOf(engine: Engine): EmptyDatabase {
  return engine === "sqlite" ? emptySqlite() : emptyPostgres();
}

function emptySqlite(): EmptyDatabase {
  const database = new SqliteDatabase({ path: ":memory:" });
  return { database, [Symbol.asyncDispose]: () => database.close() };
}

export function emptyPostgres(options?: { readonly vectors: boolean }): EmptyDatabase {
  const address = postgresPlace(options);
  const place = openPlace({ folder: "", address: address.url, isName: () => true });
  const database = place.open("default");
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await place.close();
      address[Symbol.dispose]();
    },
  };
}
