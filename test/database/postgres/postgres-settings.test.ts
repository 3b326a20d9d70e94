import { EventEmitter, once } from "node:events";
import { sql } from "drizzle-orm";
import pg from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  type Database,
  openPlace,
  type PostgresSettings,
  postgresSettings,
} from "../../../src/database/index.ts";
import { CairnProcess, cairnPlace } from "../../support/cairn-process.ts";
import { patiently } from "../../support/patiently.ts";
import { describeOnPostgres, postgresPlace } from "../../support/postgres/postgres-place.ts";

let server: ReturnType<typeof postgresPlace>;

const LIMIT = patiently(60_000);

function open(settings: Partial<PostgresSettings> = {}): Database {
  const postgres = postgresSettings.parse(settings);
  const place = openPlace({ folder: "", address: server.url, postgres, isName: () => true });
  const database = place.open("shop");
  onTestFinished(async () => {
    await database.close();
    await place.close();
  });
  return database;
}

const nothing = () => Promise.resolve();

/** A connection of the test's own, which knows no limits. */
async function onlooker(): Promise<pg.Client> {
  const client = new pg.Client(server.url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe("the settings of PostgreSQL", () => {
  it.each([
    [{ poolSize: 0 }],
    [{ connectTimeoutMs: 0 }],
    [{ statementTimeoutMs: 3_000_000_000 }],
    [{ idleTransactionTimeoutMs: 1.5 }],
  ])("%j is refused", (given) => {
    expect(postgresSettings.safeParse(given).success).toBe(false);
  });
});

describeOnPostgres("a PostgreSQL server that is asked by the settings", () => {
  beforeEach(() => {
    const place = postgresPlace();
    server = place;
    onTestFinished(() => place[Symbol.dispose]());
  });

  it("ends a statement that takes too long, whether it reads or writes", {
    tags: ["long"],
  }, async () => {
    const database = open({ statementTimeoutMs: patiently(200) });
    await database.write(nothing);
    const slow = sql`select pg_sleep(60)`;
    const tooLong = { code: "busy", message: expect.stringContaining("too long") };
    await expect(database.read(async (tx) => tx.run(slow))).rejects.toMatchObject(tooLong);
    await expect(database.write(async (tx) => tx.run(slow))).rejects.toMatchObject(tooLong);
    await expect(database.writeDerived(async (tx) => tx.run(slow))).rejects.toMatchObject(tooLong);
  });

  it("lets what fills a database, and who waits for a writer, take longer", {
    tags: ["long"],
  }, async () => {
    const database = open({ statementTimeoutMs: patiently(200) });
    await database.write(nothing);
    await database.fill(async (tx) => tx.run(sql`select pg_sleep(${patiently(600) / 1000})`));
    let first: Promise<unknown> | undefined;
    await new Promise<void>((begun) => {
      first = open().write(async (tx) => {
        begun();
        await tx.run(sql`select pg_sleep(${patiently(600) / 1000})`);
      });
    });
    await expect(database.write(nothing)).resolves.toBeUndefined();
    await first;
  });

  it("gives as many connections as the pool has, and says so when none is free in time", async () => {
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

  it("looks whether a silent client is still there", async () => {
    const database = open();
    await database.write(async (tx) => {
      const limits = await tx.all<{ name: string; setting: string }>(
        sql`select name, setting from pg_catalog.pg_settings where name ~ '^tcp_' order by name`,
      );
      const seen = Object.fromEntries(limits.map(({ name, setting }) => [name, Number(setting)]));
      expect(seen).toMatchObject({ tcp_keepalives_idle: 10, tcp_keepalives_count: 3 });
    });
  });

  it("throws a process out that stands still in its transaction, and others write on", {
    tags: ["long"],
    timeout: LIMIT,
  }, async () => {
    await open().write(nothing);
    const stuck = await CairnProcess.start({
      place: cairnPlace(),
      args: ["serve", "--port", "0", "--db", "shop"],
      env: {
        CAIRN_DATABASE: server.url,
        CAIRN_POSTGRES_IDLE_TRANSACTION_TIMEOUT_MS: "1000",
      },
    });
    const url = await stuck.ready();
    const remember = (content: string) =>
      fetch(`${url}/api/v1/episodes`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ content }),
      });
    expect((await remember("one")).status).toBe(200);

    const [holder, watcher] = [await onlooker(), await onlooker()];
    const { rows } = await watcher.query<{ name: string }>(
      "select 'cairn_' || number as name from cairn.databases where name = 'shop'",
    );
    await holder.query(`begin; lock table "${rows[0]?.name}".episodes in access exclusive mode`);
    const second = remember("two");
    const writers = async (condition: string) => {
      const found = await watcher.query(
        `select 1 from pg_stat_activity where application_name = 'cairn' and datname = current_database() and ${condition}`,
      );
      return found.rowCount;
    };
    await expect.poll(() => writers("wait_event_type = 'Lock'"), { timeout: LIMIT }).toBe(1);
    stuck.child.kill("SIGSTOP");
    await holder.query("rollback");
    await expect.poll(() => writers("state = 'idle in transaction'")).toBe(1);

    await open().write(async (tx) => {
      await tx.run(sql`insert into topics values ('a', '', '', '', '')`);
    });
    expect(await writers("state like 'idle in transaction%'")).toBe(0);

    stuck.child.kill("SIGCONT");
    expect((await second).status).toBe(503);
    expect((await remember("three")).status).toBe(200);
    const kept = await open().read(async (tx) =>
      tx.all<{ content: string }>(sql`select content from episodes order by id`),
    );
    expect(kept.map(({ content }) => content)).toEqual(["one", "three"]);
  });
});
