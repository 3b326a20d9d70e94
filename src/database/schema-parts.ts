import { postgresParts } from "./postgres/postgres-parts.ts";
import type { SchemaParts } from "./schema-part.ts";
import { sqliteParts } from "./sqlite/sqlite-parts.ts";
import type { Tx } from "./tx.ts";

/** What a schema is made of, and what it must be made of, parts of the search indexes left out. */
export function schemaParts(tx: Tx): Promise<SchemaParts> {
  return tx.engine === "sqlite" ? sqliteParts(tx) : postgresParts(tx);
}
