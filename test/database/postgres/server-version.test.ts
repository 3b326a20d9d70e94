import { Client } from "pg";
import { expect, it } from "vitest";
import { migratePostgres } from "../../../src/database/postgres/migrations.ts";

/** A connection that responds only to the server version query. */
class OldServer extends Client {
  readonly statements: string[] = [];

  override query(statement: unknown): never {
    this.statements.push(String(statement));
    const rows = [{ version: "15.13 (Debian)", number: 150_013 }];
    return Promise.resolve({ rows }) as never;
  }
}

it("names the version that cairn needs and creates nothing on an older server", async () => {
  const client = new OldServer();
  await expect(
    migratePostgres(client, [{ name: "initial", kind: "expand", sql: () => "create table t ()" }]),
  ).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("PostgreSQL 16 or newer (the server is 15.13 (Debian))"),
  });
  expect(client.statements).toHaveLength(1);
});
