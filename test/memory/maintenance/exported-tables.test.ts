import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { SqliteDatabase } from "../../../src/database/index.ts";
import { EXPORTED_TABLES } from "../../../src/memory/maintenance/exported-tables.ts";

/** Derived on import, or specific to one file. */
const DERIVED = [
  "cluster_entities",
  "meta",
  "pending_vectors",
  "vector_signs",
  "vectors",
  "recalls",
  "recalled_items",
];

it("every table is either exported or derived, so that no new one is forgotten", async () => {
  const database = new SqliteDatabase({ path: ":memory:" });
  const tables = await database.read(async (tx) =>
    tx.all<{ name: string }>(sql`select name from sqlite_schema where type = 'table'`),
  );
  await database.close();
  const own = tables
    .map(({ name }) => name)
    .filter((name) => !/^sqlite_|^[a-z]+_text(_|$)/.test(name));
  expect(own.sort()).toEqual([...EXPORTED_TABLES.map(({ name }) => name), ...DERIVED].sort());
});
