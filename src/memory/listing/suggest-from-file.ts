import { SqliteDatabase } from "../../database/index.ts";
import { type Suggestion, type SuggestQuery, suggest } from "./suggest.ts";

/**
 * What the operation of this name answers, without the engine, which takes longer to load than a
 * shell should wait for a completion. Empty where there is no database.
 */
export async function suggestFromFile(path: string, query: SuggestQuery): Promise<Suggestion[]> {
  const database = new SqliteDatabase({ path });
  try {
    if (!(await database.isThere())) return [];
    return await database.read((tx) => suggest(tx, query));
  } finally {
    await database.close();
  }
}
