import { sql } from "drizzle-orm";
import type { Tx } from "../database.ts";
import type { SchemaPart, SchemaParts } from "../schema-part.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const NOT_OURS = /^(sqlite_|(episode|concept)_(text|bits)(_|$))/;

export async function sqliteParts(tx: Tx): Promise<SchemaParts> {
  const template = new SqliteDatabase({ path: ":memory:" });
  try {
    const expected = await template.read((fresh) => partsOf(fresh));
    return { expected, actual: await partsOf(tx) };
  } finally {
    await template.close();
  }
}

async function partsOf(tx: Tx): Promise<SchemaPart[]> {
  const parts = await tx.all<SchemaPart>(
    sql`select type, name, tbl_name as "table", sql from sqlite_schema where sql is not null order by type = 'table' desc, rowid`,
  );
  return parts.filter(({ name }) => !NOT_OURS.test(name));
}
