import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import {
  type Database,
  enableGenericPlans,
  listOfValues,
  numbersParameter,
  openDatabaseBackend,
  postgresSettings,
  rowQuery,
  type Tx,
} from "../../../src/database/index.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

const TIMES = 3;
const thoseOf = rowQuery<[value: number]>(
  () => sql`select value from (${numbersParameter("n")}) kept`,
);

async function twoDatabases({ pooled }: { readonly pooled: boolean }): Promise<Database[]> {
  const server = takePostgresDatabase();
  onTestFinished(() => server[Symbol.dispose]());
  const postgres = postgresSettings.parse({ poolSize: 1 });
  const backend = openDatabaseBackend({
    folder: "",
    address: pooled ? `${server.url}?pgbouncer=true` : server.url,
    postgres,
    isName: () => true,
  });
  onTestFinished(() => backend.close());
  const databases = ["a", "b"].map((name) => backend.open(name));
  for (const database of databases) await database.write(async () => undefined);
  return databases;
}

/** Reads the databases in turn and returns the plan counts of the prepared statements. */
async function readInTurn(
  databases: readonly Database[],
  begin: (tx: Tx) => Promise<void>,
): Promise<{ generic: number; custom: number }[]> {
  for (let n = 1; n <= TIMES; n += 1) {
    for (const database of databases) {
      const found = await database.read(async (tx) => {
        await begin(tx);
        return thoseOf(tx, { n: listOfValues([n, 7]) });
      });
      expect(found).toEqual([[n], [7]]);
    }
  }
  const [database] = databases;
  const rows = await database?.read(
    async (tx) =>
      await tx.all<{ generic: number; custom: number }>(
        sql`select generic_plans as generic, custom_plans as custom from pg_prepared_statements
          where statement like '%) kept%' and statement not like '%pg_prepared_statements%'`,
      ),
  );
  return rows ?? [];
}

describeOnPostgres("plans of PostgreSQL", () => {
  it("are generic and cached per database if enabled", async () => {
    const databases = await twoDatabases({ pooled: false });
    const kept = { generic: TIMES, custom: 0 };
    expect(await readInTurn(databases, enableGenericPlans)).toEqual([kept, kept]);
  });

  it("are made per value otherwise", async () => {
    const databases = await twoDatabases({ pooled: false });
    const made = { generic: 0, custom: TIMES };
    expect(await readInTurn(databases, async () => undefined)).toEqual([made, made]);
  });

  it("are not cached behind a pooler", async () => {
    expect(await readInTurn(await twoDatabases({ pooled: true }), enableGenericPlans)).toEqual([]);
  });
});
