import { postgresParts } from "./postgres/postgres-parts.ts";
import type { SchemaParts } from "./schema-part.ts";
import { sqliteParts } from "./sqlite/sqlite-parts.ts";
import type { Tx } from "./tx.ts";

/** What the schema consists of and what it should consist of, without parts of the search indexes. */
export function schemaParts(tx: Tx): Promise<SchemaParts> {
  return tx.engine === "sqlite" ? sqliteParts(tx) : postgresParts(tx);
}
