import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/** What holds a database. */
export type Engine = "sqlite" | "postgres";

/**
 * A transaction: every query takes it first, and every result is awaited. Which engine it belongs
 * to is for `src/database` and the indexes alone: SQL elsewhere is what all engines read.
 */
export type Tx = BaseSQLiteDatabase<"sync" | "async", unknown> & { readonly engine: Engine };
