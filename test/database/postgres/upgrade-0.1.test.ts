import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { packageRoot } from "../../../src/shared/package.ts";
import { openMemoryStore } from "../../support/memory-server.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

const SCHEMA = readFileSync(join(packageRoot(), "test/database/schema-0.1/postgres.sql"), "utf8");

describeOnPostgres("a PostgreSQL database of 0.1", () => {
  it("remains writable and is upgraded on request", async () => {
    using database = takePostgresDatabase();
    const databases = openDatabaseBackend({
      folder: "",
      address: database.url,
      isName: () => true,
    });
    const store = openMemoryStore(databases);
    onTestFinished(() => store.close());
    const memory = store.open();
    await memory.execute("remember", { content: "made by this version" });
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ schema: string }>(
      "select relnamespace::regnamespace::text as schema from pg_class where relname = 'row_changes' and relkind = 'r'",
    );
    const schema = rows[0]?.schema ?? "";
    await client.query(
      `drop schema ${schema} cascade; create schema ${schema}; set search_path = ${schema}`,
    );
    await client.query(SCHEMA);
    const { rows: found } = await client.query<{ table: string }>(
      "select relnamespace::regnamespace::text || '.databases' as table from pg_class where relname = 'databases' and relkind = 'r'",
    );
    await client.query(`update ${found[0]?.table} set version = 21, needs = 21`);
    await memory.execute("remember", { content: "the first write" });
    expect(await memory.execute("stats", {})).toMatchObject({ episodes: { total: 1 } });
    expect(await databases.migrate({ finish: true, dryRun: false })).toMatchObject([
      { from: 21, to: 22, scripts: ["upgrade-0.1"], left: [] },
    ]);
    expect(await memory.execute("stats", {})).toMatchObject({ episodes: { total: 1 } });
    const { rows: left } = await client.query(
      `select relname from pg_class where relname like 'totals%' and relnamespace = '${schema}'::regnamespace`,
    );
    await client.end();
    expect(left).toEqual([]);
  });
});
