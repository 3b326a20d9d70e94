import { getPostgresCode } from "./postgres/postgres-error.ts";
import { getSqliteCode } from "./sqlite/sqlite-error.ts";

export function isConstraintError(error: unknown): boolean {
  const isSqlite = getSqliteCode(error)?.startsWith("SQLITE_CONSTRAINT");
  return isSqlite ?? getPostgresCode(error)?.startsWith("23") ?? false;
}
