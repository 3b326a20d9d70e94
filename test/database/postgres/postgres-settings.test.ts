import { EventEmitter, once } from "node:events";
import { sql } from "drizzle-orm";
import pg from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  type Database,
  openDatabaseBackend,
  type PostgresOptions,
  postgresSettings,
} from "../../../src/database/index.ts";
import { CairnError } from "../../../src/shared/errors.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";

let server: ReturnType<typeof takePostgresDatabase>;

function open(options: Partial<PostgresOptions> = {}): Database {
  const postgres = { ...postgresSettings.parse({}), ...options };
  const backend = openDatabaseBackend({
    folder: "",
    address: server.url,
    postgres,
    isName: () => true,
  });
  const database = backend.open("shop");
  onTestFinished(async () => {
    await database.close();
    await backend.close();
  });
  return database;
}

const nothing = () => Promise.resolve();

async function onlooker(): Promise<pg.Client> {
  const client = new pg.Client(server.url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe("the settings of PostgreSQL", () => {
  it.each([[{ poolSize: 0 }], [{ poolSize: 1.5 }]])("rejects %j", (given) => {
    expect(postgresSettings.safeParse(given).success).toBe(false);
  });
});

describeOnPostgres("a PostgreSQL server with limits from the settings", () => {
  beforeEach(() => {
    const database = takePostgresDatabase();
    server = database;
    onTestFinished(() => database[Symbol.dispose]());
  });

  it("cancels a slow statement, read or write", {
    tags: ["long"],
  }, async () => {
    const database = open({ statementTimeoutMs: 600 });
    await database.write(nothing);
    const slow = sql`select pg_sleep(60)`;
    const tooLong = { code: "busy", message: expect.stringContaining("too long") };
    await expect(database.read(async (tx) => tx.run(slow))).rejects.toMatchObject(tooLong);
    await expect(database.write(async (tx) => tx.run(slow))).rejects.toMatchObject(tooLong);
    await expect(database.writeDerived(async (tx) => tx.run(slow))).rejects.toMatchObject(tooLong);
  });

  it("exempts fills and lock waits from the statement timeout", {
    tags: ["long"],
  }, async () => {
    const database = open({ statementTimeoutMs: 600 });
    await database.write(nothing);
    await database.fill(async (tx) => tx.run(sql`select pg_sleep(${1_800 / 1000})`));
    let first: Promise<unknown> | undefined;
    await new Promise<void>((begun) => {
      first = open().write(async (tx) => {
        begun();
        await tx.run(sql`select pg_sleep(${1_800 / 1000})`);
      });
    });
    await expect(database.write(nothing)).resolves.toBeUndefined();
    await first;
  });

  it("limits connections to the pool size and reports exhaustion", async () => {
    const database = open({ poolSize: 2, connectTimeoutMs: 300 });
    await database.write(nothing);
    const gate = new EventEmitter();
    const readers = [1, 2].map(() => database.read(() => once(gate, "open")));
    await expect(database.read(nothing)).rejects.toMatchObject({
      code: "busy",
      message: expect.stringContaining("postgres.poolSize"),
    });
    const client = await onlooker();
    const { rows } = await client.query(
      "select pid from pg_stat_activity where application_name = 'cairn' and datname = current_database()",
    );
    expect(rows).toHaveLength(2);
    gate.emit("open");
    await Promise.all(readers);
    await expect(database.read(nothing)).resolves.toBeUndefined();
  });

  it("probes silent clients", async () => {
    const database = open();
    await database.write(async (tx) => {
      const limits = await tx.all<{ name: string; setting: string }>(
        sql`select name, setting from pg_catalog.pg_settings where name ~ '^tcp_' order by name`,
      );
      const seen = Object.fromEntries(limits.map(({ name, setting }) => [name, Number(setting)]));
      expect(seen).toMatchObject({ tcp_keepalives_idle: 10, tcp_keepalives_count: 3 });
    });
  });

  it("ends a stalled write so that others continue", async () => {
    await open().write(nothing);
    const addTopic = (id: string) => sql`insert into topics values (${id}, '', '', '', '')`;
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const gate = new EventEmitter();
    const stuck = open({ idleTransactionTimeoutMs: 300 }).write(async (tx) => {
      await tx.run(addTopic("stuck"));
      begun();
      await once(gate, "open");
    });
    const failed = expect(stuck).rejects.toBeInstanceOf(CairnError);
    await hasBegun;
    await open().write(async (tx) => {
      await tx.run(addTopic("other"));
    });
    gate.emit("open");
    await failed;
    const topics = await open().read(async (tx) =>
      tx.all<{ id: string }>(sql`select id from topics order by id`),
    );
    expect(topics.map(({ id }) => id)).toEqual(["other"]);
  });
});
