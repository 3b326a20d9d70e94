import { sql } from "drizzle-orm";
import type { Tx } from "../database.ts";
import type { SchemaPart, SchemaParts } from "../schema-part.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const NOT_OURS = /^(sqlite_|(episode|concept)_(text|bits)(_|$))/;

/** An earlier schema is expected as it is: the next write upgrades it. */
export async function sqliteParts(tx: Tx): Promise<SchemaParts> {
  const template = new SqliteDatabase({ path: ":memory:" });
  try {
    const actual = await loadParts(tx);
    const [expected, newest] = await template.read(async (fresh) =>
      Promise.all([loadParts(fresh), loadVersion(fresh)]),
    );
    return { expected: (await loadVersion(tx)) < newest ? actual : expected, actual };
  } finally {
    await template.close();
  }
}

async function loadParts(tx: Tx): Promise<SchemaPart[]> {
  const parts = await tx.all<SchemaPart>(
    sql`select type, name, tbl_name as "table", sql from sqlite_schema where sql is not null order by type = 'table' desc, rowid`,
  );
  return parts.filter(({ name }) => !NOT_OURS.test(name));
}

async function loadVersion(tx: Tx): Promise<number> {
  const row = await tx.get<{ user_version: number }>(sql`pragma user_version`);
  return row?.user_version ?? 0;
}
