import pg from "pg";
import { expect, it, vi } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { describeDatabases } from "../../../src/database/postgres/postgres-store.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

describeOnPostgres("the lists of a database backend", () => {
  it("are empty for an empty store and do not wait for name changes", async () => {
    using address = takePostgresDatabase();
    const backend = openDatabaseBackend({ folder: "", address: address.url, isName: () => true });
    const holder = new pg.Client({ connectionString: address.url });
    try {
      const lists = () => Promise.all([backend.list(), backend.listBin(), backend.tokens.list()]);
      expect(await lists()).toEqual([[], [], []]);
      await backend.create("shop");
      await backend.tokens.add({ name: "ada", scope: "read", created_at: "", hash: "00" });
      await holder.connect();
      await holder.query("begin");
      const { rows } = await holder.query<{ schema: string }>(
        "select nspname as schema from pg_catalog.pg_namespace join pg_catalog.pg_class on relnamespace = pg_namespace.oid where relname = 'databases' and nspname !~ '^pg_'",
      );
      await holder.query("select pg_advisory_xact_lock(hashtext('cairn:' || $1))", [
        rows[0]?.schema,
      ]);
      const [databases, bin, tokens] = await lists();
      expect(databases).toMatchObject([{ name: "shop" }]);
      expect(bin).toEqual([]);
      expect(tokens).toMatchObject([{ name: "ada" }]);
    } finally {
      await holder.end();
      await backend.close();
    }
  });

  it("run a constant number of statements for any number of databases", async () => {
    using address = takePostgresDatabase();
    const backend = openDatabaseBackend({ folder: "", address: address.url, isName: () => true });
    const client = new pg.Client({ connectionString: address.url });
    try {
      await client.connect();
      const names = ["a", "b", "c", "d", "e"];
      for (const name of names) await backend.create(name);
      await client.query("drop schema cairn_3 cascade");
      const databases = names.map((name, index) => ({ name, number: index + 1 }));
      const query = vi.spyOn(client, "query");
      const described = await describeDatabases(client, "cairn", databases);
      expect(query).toHaveBeenCalledTimes(2);
      expect(described.map(({ name }) => name)).toEqual(names);
      expect(described.map(({ size }) => size > 0)).toEqual([true, true, false, true, true]);
      expect((await backend.list()).map(({ name }) => name)).toEqual(names);
    } finally {
      await client.end();
      await backend.close();
    }
  });
});
