import type { Database } from "../../database/index.ts";
import { type Suggestion, type SuggestQuery, suggest } from "./suggest.ts";

/**
 * What the operation of this name answers, without the engine, which takes longer to load than a
 * shell should wait for a completion. Empty where there is no database.
 */
export async function suggestFromDatabase(
  database: Database,
  query: SuggestQuery,
): Promise<Suggestion[]> {
  return (await database.isThere()) ? database.read((tx) => suggest(tx, query)) : [];
}
