import pg from "pg";
import { expect, it } from "vitest";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

describeOnPostgres("the server of tests", () => {
  it("provides temporary stores with vectors", async () => {
    const first = takePostgresDatabase();
    using second = takePostgresDatabase();
    await using client = await connected(first.url);
    await client.query("create table notes (v vector(2)); insert into notes values ('[3,4]')");
    expect(await client.query("select vector_norm(v) as norm from notes")).toMatchObject({
      rows: [{ norm: 5 }],
    });
    await using other = await connected(second.url);
    await expect(other.query("select 1 from notes")).rejects.toMatchObject({ code: "42P01" });

    const cut = new Promise((resolve) => client.on("error", resolve));
    first[Symbol.dispose]();
    expect(await cut).toMatchObject({ code: "57P01" });
    await expect(connected(first.url)).rejects.toMatchObject({ code: "3D000" });
  });

  it("provides more stores than it keeps ready", async () => {
    const places = Array.from({ length: 12 }, () => takePostgresDatabase());
    expect(new Set(places.map(({ url }) => url)).size).toBe(12);
    for (const database of places) database[Symbol.dispose]();
  });

  it("can provide a server without vectors", async () => {
    using database = takePostgresDatabase({ vectors: false });
    await using client = await connected(database.url);
    await expect(client.query("create extension if not exists vector")).rejects.toMatchObject({
      code: "0A000",
    });
  });
});

async function connected(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
