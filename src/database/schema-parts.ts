import type { Tx } from "./database.ts";
import { postgresParts } from "./postgres/postgres-parts.ts";
import type { SchemaParts } from "./schema-part.ts";
import { sqliteParts } from "./sqlite/sqlite-parts.ts";

export function schemaParts(tx: Tx): Promise<SchemaParts> {
  return tx.engine === "sqlite" ? sqliteParts(tx) : postgresParts(tx);
}
