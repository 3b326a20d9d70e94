import { postgresCodeOf } from "./postgres/postgres-error.ts";
import { sqliteCodeOf } from "./sqlite/sqlite-error.ts";

export function isConstraintError(error: unknown): boolean {
  const isSqlite = sqliteCodeOf(error)?.startsWith("SQLITE_CONSTRAINT");
  return isSqlite ?? postgresCodeOf(error)?.startsWith("23") ?? false;
}
