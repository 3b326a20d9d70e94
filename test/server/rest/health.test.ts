import { Agent, get } from "node:http";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";

let server: MemoryServer;

beforeAll(async () => {
  server = await serveMemory();
});
afterAll(() => server.end());

it("health responds during a large write", {
  timeout: 360_000,
}, async () => {
  const ops = Array.from({ length: 5000 }, (_, n) => ({
    op: "remember",
    content: `Note ${n}`,
    entities: [`file:f${n % 50}`],
  }));
  const changeset = JSON.stringify(ops);
  const order: string[] = [];
  const written = server.store
    .open(undefined)
    .execute("apply", { changeset })
    .then(() => order.push("written"));
  while (!order.includes("written")) {
    const response = await fetch(`${server.url}/health`);
    expect(await response.json()).toMatchObject({ ok: true });
    order.push("health");
  }
  await written;
  // The write yields between slices, so health responses arrive before its end.
  expect(order.indexOf("written")).toBeGreaterThanOrEqual(8);
});

it("health reports the default database and its reachability", async () => {
  const answer = await fetch(`${server.url}/health`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { ok: true, version: "0.0.0", database: "default", database_state: "ok", read_only: false },
  ]);
});

it("probes are accepted under any host name", async () => {
  const { hostname, port } = new URL(server.url);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: "10.1.2.3:7433" };
    get({ hostname, port, path: "/health/ready", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).once("error", reject);
  });
  expect(status).toBe(200);
});

it("is not ready if a newer version has written the file", async () => {
  const mine = await serveMemory();
  onTestFinished(() => mine.end());
  if (mine.store.open().location.startsWith("postgres:")) return;
  await mine.store.open().execute("remember", { content: "a" });
  expect((await fetch(`${mine.url}/health/ready`)).status).toBe(200);
  const file = new BetterSqlite(join(mine.dataDir, "default.db"));
  file.pragma("user_version = 999");
  file.close();
  const other = await serveMemory({ dataDir: mine.dataDir });
  onTestFinished(() => other.end());
  expect((await fetch(`${other.url}/health/ready`)).status).toBe(503);
  const health = await fetch(`${other.url}/health`);
  expect([health.status, await health.text()]).toEqual([
    503,
    expect.stringContaining('"database_state":"newer"'),
  ]);
});

describeOnPostgres("health of a server whose databases lie elsewhere", () => {
  it.each([
    ["refuses", (network: TcpProxy) => network.cut()],
    ["says nothing", (network: TcpProxy) => network.silence()],
  ])(
    "is 503 while the connection %s, and 200 afterwards",
    { tags: ["long"] },
    async (_title, breakIt) => {
      const database = takePostgresDatabase();
      onTestFinished(() => database[Symbol.dispose]());
      const network = await TcpProxy.start(Number(new URL(database.url).port));
      onTestFinished(() => network[Symbol.asyncDispose]());
      const url = await serveOn(network.urlOf(database.url));
      const health = async () => {
        const answer = await fetch(`${url}/health`);
        return [answer.status, await answer.text()];
      };
      const probes = async () => {
        const answers = await Promise.all(
          ["live", "ready"].map((path) => fetch(`${url}/health/${path}`)),
        );
        return answers.map(({ status }) => status);
      };
      expect(await health()).toEqual([200, expect.stringContaining('"database_state":"ok"')]);
      expect(await probes()).toEqual([200, 200]);
      breakIt(network);
      await expect
        .poll(health, { timeout: 30_000 })
        .toEqual([503, expect.stringContaining('"database_state":"unreachable"')]);
      expect(await probes()).toEqual([200, 503]);
      network.mend();
      await expect.poll(async () => (await health())[0], { timeout: 30_000 }).toBe(200);
    },
  );

  it("is 200 while all connections are in use", { tags: ["long"] }, async () => {
    const handle = takePostgresDatabase();
    onTestFinished(() => handle[Symbol.dispose]());
    const databases = openDatabaseBackend({ folder: "", address: handle.url, isName: () => true });
    const database = databases.open("default");
    await database.write(() => Promise.resolve());
    const url = await serveOn(handle.url, databases);
    const ends: (() => void)[] = [];
    const readers = Array.from({ length: 10 }, () =>
      database.read(() => new Promise<void>((end) => ends.push(end))),
    );
    await expect.poll(() => ends.length).toBe(10);
    // By now the token cache has expired.
    await waitFixedTime(1_100, "cache expires");
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const metrics = await fetch(`${url}/metrics`);
    for (const end of ends) end();
    expect(await metrics.text()).toContain('cairn_pool_connections{state="used"} 10');
    await Promise.all(readers);
  });
});

async function serveOn(
  address: string,
  place = openDatabaseBackend({ folder: "", address, isName: () => true }),
): Promise<string> {
  const serving = await serveMemory({ place });
  onTestFinished(() => serving.end());
  return serving.url;
}

it("health does not wait for a database connection", async () => {
  const clients = 40;
  const agent = new Agent({ keepAlive: true, maxSockets: clients + 1 });
  const paths = [
    ...Array.from({ length: clients }, () => "/api/v1/snapshot?scopes=stats"),
    "/health",
  ];
  const order: string[] = [];
  const ask = (path: string) =>
    new Promise<void>((resolve, reject) => {
      get(`${server.url}${path}`, { agent }, (answer) => {
        answer.resume().once("end", () => {
          order.push(path);
          resolve();
        });
      }).once("error", reject);
    });
  // Accepting a connection takes one event loop iteration each, so open all of them first.
  await Promise.all(paths.map(ask));
  order.length = 0;
  await Promise.all(paths.map(ask));
  agent.destroy();
  expect(order.indexOf("/health")).toBeLessThan(clients / 2);
});
