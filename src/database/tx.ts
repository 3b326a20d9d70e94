import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";

/** A transaction: every query takes it first. */
export type Tx = BetterSQLite3Database;
