import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

export type Engine = "sqlite" | "postgres";

/**
 * A transaction. Every query takes it as its first parameter, and every result is awaited. Only
 * `src/database` and the indexes may ask for its engine; all other SQL must work on every engine.
 */
export type Tx = BaseSQLiteDatabase<"sync" | "async", unknown> & { readonly engine: Engine };
