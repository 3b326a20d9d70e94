// @module-tag long: stops PostgreSQL servers.

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import {
  type Database,
  type DatabasePlace,
  openPlace,
  postgresSettings,
} from "../../../src/database/index.ts";
import { letTimePass } from "../../support/let-time-pass.ts";
import { memoryServer } from "../../support/memory-server.ts";
import { describeOnPostgres } from "../../support/postgres/postgres-place.ts";
import { PostgresServer } from "../../support/postgres/postgres-server.ts";
import { FOR_A_STANDBY, startReplica } from "../../support/postgres/standby.ts";

const LIMIT = 180_000;
/** A lagging replica is retried after a second. */
const RESTED = { timeout: 30_000 };

let primary: PostgresServer;
let replica: PostgresServer;
let folder: string;
let made = 0;
/** Schema of the current test. */
let schema: string;

function newPlace({ address = replica.url(), replicaWaitMs = 60 } = {}): DatabasePlace {
  const place = openPlace({
    folder: "",
    address: `${primary.url()}?schema=${schema}`,
    postgres: { ...postgresSettings.parse({ replicas: [address] }), replicaWaitMs },
    isName: () => true,
  });
  onTestFinished(() => place.close());
  return place;
}

const add = (database: Database, id: string) =>
  database.write(async (tx) => {
    await tx.run(sql`insert into topics values (${id}, ${id}, '', '', '')`);
    await tx.run(
      sql`insert into events(seq, ts, kind, subject_type, subject_id) select coalesce(max(seq), 0) + 1, '', 'updated', 'topic', ${id} from events`,
    );
  });

const topics = (database: Database, seen?: number) =>
  database.read(
    async (tx) => (await tx.all<{ id: string }>(sql`select id from topics order by id`)).map(idOf),
    { seen },
  );
const idOf = ({ id }: { id: string }) => id;

const stateOf = async (place: DatabasePlace) => (await place.state()).replicas[0];
const readsOf = async (place: DatabasePlace) => (await stateOf(place))?.reads ?? -1;

async function onReplica(statement: string): Promise<void> {
  const client = new pg.Client(replica.url());
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function pauseReplay(): Promise<void> {
  await onReplica("select pg_wal_replay_pause()");
  onTestFinished(resumeReplay);
}

const resumeReplay = () => onReplica("select pg_wal_replay_resume()");

describeOnPostgres("reading from a replica", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "cairn-replicas-"));
    chmodSync(folder, 0o755);
    const settings = FOR_A_STANDBY;
    primary = await PostgresServer.start({ folder: join(folder, "primary"), settings });
    replica = await startReplica(primary, { folder: join(folder, "replica"), settings });
  }, LIMIT);
  afterAll(async () => {
    await replica?.stop();
    await primary?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, LIMIT);
  beforeEach(() => {
    made += 1;
    schema = `test_${made}`;
  });

  it("reads recent writes from a replica without using the primary", async () => {
    const place = newPlace({ replicaWaitMs: 5_000 });
    const database = place.open("shop");
    for (const [index, id] of ["a", "b", "c", "d"].entries()) {
      await add(database, id);
      expect(await topics(database)).toHaveLength(index + 1);
    }
    expect(await readsOf(place)).toBe(4);
    expect(await stateOf(place)).toMatchObject({ isUp: true });
  });

  it("uses the primary if the replica lags behind the reader", async () => {
    const [here, elsewhere] = [newPlace(), newPlace()];
    const own = here.open("shop");
    await add(own, "a");
    await expect
      .poll(async () => [await topics(own), await readsOf(here)], RESTED)
      .toEqual([["a"], 1]);
    const foreign = elsewhere.open("shop");
    expect(await foreign.isThere()).toBe(true);
    await pauseReplay();
    await add(own, "b");

    expect(await topics(own)).toEqual(["a", "b"]);
    expect(await readsOf(here)).toBe(1);
    expect(await topics(foreign)).toEqual(["a"]);
    expect(await topics(foreign, 2)).toEqual(["a", "b"]);
    // A reader never sees an older state than before.
    expect(await topics(foreign)).toEqual(["a", "b"]);
    // The state is updated shortly after the write.
    await expect
      .poll(() => stateOf(here), RESTED)
      .toMatchObject({
        lagBytes: expect.toSatisfy((bytes: number) => bytes > 0),
        lagSeconds: expect.toSatisfy((seconds: number) => seconds > 0),
      });

    await resumeReplay();
    await expect.poll(async () => (await stateOf(here))?.lagBytes, RESTED).toBe(0);
    await expect
      .poll(async () => [await topics(own), await readsOf(here)], RESTED)
      .toEqual([["a", "b"], 2]);
  });

  it("waits for a replica that catches up in time", async () => {
    const place = newPlace({ replicaWaitMs: 30_000 });
    const database = place.open("shop");
    await add(database, "a");
    await topics(database);
    await pauseReplay();
    await add(database, "b");
    const read = topics(database);
    await letTimePass(100, "nothing may follow");
    await resumeReplay();
    expect(await read).toEqual(["a", "b"]);
    expect(await readsOf(place)).toBe(2);
  });

  it("distinguishes a recreated database of the same name", async () => {
    const place = newPlace();
    const old = place.open("shop");
    for (const id of ["a", "b", "c"]) await add(old, id);
    await expect.poll(async () => (await topics(old)) && readsOf(place), RESTED).toBe(1);
    await pauseReplay();
    await place.remove("shop", new Date(0));
    const anew = place.open("shop");
    await add(anew, "z");
    expect(await topics(anew)).toEqual(["z"]);
  });

  it(
    "falls back to the primary while the replica is down, and returns to it",
    async () => {
      const place = newPlace();
      const database = place.open("shop");
      await add(database, "a");
      await expect.poll(async () => (await topics(database)) && readsOf(place), RESTED).toBe(1);
      const { port } = replica;
      await replica.stop();
      expect(await topics(database)).toEqual(["a"]);
      await add(database, "b");
      expect(await topics(database)).toEqual(["a", "b"]);
      expect(await stateOf(place)).toMatchObject({ isUp: false });
      replica = await PostgresServer.start({
        folder: join(folder, "replica"),
        port,
        settings: FOR_A_STANDBY,
      });
      await expect
        .poll(async () => (await topics(database)) && readsOf(place), { timeout: LIMIT })
        .toBe(2);
    },
    LIMIT,
  );

  it("rejects an invalid address and names the setting", () => {
    expect(() => newPlace({ address: "mysql://ada:s3cret@h/shop" })).toThrow(
      /^postgres\.replicas: must be a PostgreSQL address/,
    );
  });

  it(
    "answers recall, snapshot, lists and statistics, consistent with the client's last change",
    async () => {
      const [writer, reader] = [await serve(), await serve()];
      const remember = async (content: string) => {
        const answer = await ask(writer.url, "/episodes", { content });
        return answer.headers.get("cairn-seq") ?? "";
      };
      await remember("We deploy on Tuesdays");
      await ask(reader.url, "/query", { query: "deploy" }, { "cairn-seq": "1" });
      const paths = ["/episodes", "/stats", "/events", "/episodes/ep:1", "/entities"];
      const before = await readsOf(reader.place);
      await expect
        .poll(async () => {
          await ask(reader.url, "/snapshot", { scopes: ["recent:5"] });
          await ask(reader.url, "/query", { query: "deploy" });
          for (const path of paths) await ask(reader.url, path);
          return (await readsOf(reader.place)) - before;
        }, RESTED)
        .toBeGreaterThanOrEqual(2 * paths.length + 2);

      await pauseReplay();
      const seq = await remember("We deploy on Fridays");
      const found = async (headers?: Record<string, string>) => {
        const answer = await ask(reader.url, "/query", { query: "deploy" }, headers);
        return JSON.stringify(await answer.json())
          .match(/We deploy on \w+/g)
          ?.sort();
      };
      expect([...new Set(await found())]).toEqual(["We deploy on Tuesdays"]);
      const all = ["We deploy on Fridays", "We deploy on Tuesdays"];
      expect([...new Set(await found({ "cairn-seq": seq }))]).toEqual(all);

      const metricsNow = async () => (await fetch(`${reader.url}/metrics`)).text();
      await expect.poll(metricsNow, RESTED).toMatch(/cairn_replica_lag_bytes\{.*\} [1-9]/);
      const metrics = await metricsNow();
      const label = `{replica="${(await stateOf(reader.place))?.replica}"}`;
      expect(metrics).toContain(`cairn_replica_up${label} 1`);
      expect(metrics).toMatch(/cairn_replica_reads_total\{.*\} [1-9]/);
      expect(metrics).toMatch(/cairn_replica_lag_seconds\{.*\} \d/);

      const refused = await fetch(`${reader.url}/api/v1/stats`, {
        headers: { "cairn-seq": "new" },
      });
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining("Cairn-Seq: must be the event number of an earlier response"),
      ]);
    },
    LIMIT,
  );
});

async function serve() {
  const place = newPlace();
  const server = await memoryServer({ place });
  onTestFinished(() => server.end());
  return { url: server.url, place };
}

async function ask(url: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/v1${path}`, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", ...headers },
  });
  expect([path, response.status]).toEqual([path, 200]);
  return response;
}
