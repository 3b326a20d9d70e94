import { postgresCodeOf } from "./postgres/postgres-error.ts";
import { sqliteCodeOf } from "./sqlite/sqlite-error.ts";

/** True if a row was refused by a constraint of its table. */
export function isConstraintError(error: unknown): boolean {
  const isSqlite = sqliteCodeOf(error)?.startsWith("SQLITE_CONSTRAINT");
  return isSqlite ?? postgresCodeOf(error)?.startsWith("23") ?? false;
}
