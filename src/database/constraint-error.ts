import { findPostgresCode } from "./postgres/postgres-error.ts";
import { findSqliteCode } from "./sqlite/sqlite-error.ts";

export function isConstraintError(error: unknown): boolean {
  const isSqlite = findSqliteCode(error)?.startsWith("SQLITE_CONSTRAINT");
  return isSqlite ?? findPostgresCode(error)?.startsWith("23") ?? false;
}
