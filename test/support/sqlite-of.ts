import { SqliteDatabase } from "../../src/database/index.ts";
import type { MemoryEngine } from "../../src/memory/index.ts";

/** The database of a memory that a test knows to be a file, which it may spoil. */
export async function sqliteOf(memory: MemoryEngine): Promise<SqliteDatabase> {
  const database = await memory.database();
  if (database instanceof SqliteDatabase) return database;
  throw new Error(`${memory.name} is kept by ${database.engine}`);
}
