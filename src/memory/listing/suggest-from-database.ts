import type { Database } from "../../database/index.ts";
import { type Suggestion, type SuggestQuery, suggest } from "./suggest.ts";

export async function suggestFromDatabase(
  database: Database,
  query: SuggestQuery,
): Promise<Suggestion[]> {
  return (await database.isThere()) ? database.read((tx) => suggest(tx, query)) : [];
}
