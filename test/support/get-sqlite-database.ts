import { SqliteDatabase } from "../../src/database/index.ts";
import type { MemoryEngine } from "../../src/memory/index.ts";

/** Returns a memory's SQLite database, which the test may damage. */
export async function getSqliteDatabase(memory: MemoryEngine): Promise<SqliteDatabase> {
  const database = await memory.database();
  if (database instanceof SqliteDatabase) return database;
  throw new Error(`${memory.name} is kept by ${database.engine}`);
}
