// @module-tag long: PostgreSQL behind a connection pooler.
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend, postgresSettings } from "../../../src/database/index.ts";
import { serveMemory } from "../../support/memory-server.ts";
import { describeBehindPooler, SESSIONS, startPooler } from "../../support/postgres/pooler.ts";
import { takePostgresDatabase } from "../../support/postgres/test-database.ts";

const LIMIT = 180_000;

/** Session state that another client may have left behind. */
const LEFT = `select current_setting('search_path') as path, current_setting('lock_timeout') as lock_wait,
  current_setting('statement_timeout') as statement,
  (select count(*)::int from pg_prepared_statements where name like 'cairn%') as prepared,
  (select count(*)::int from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())) as locks`;

async function startServers() {
  const server = takePostgresDatabase();
  onTestFinished(() => server[Symbol.dispose]());
  const pooler = await startPooler(server.url);
  onTestFinished(() => pooler[Symbol.asyncDispose]());
  const address = `${pooler.url}?pgbouncer=true`;
  const postgres = postgresSettings.parse({});
  const place = () => openDatabaseBackend({ folder: "", address, postgres, isName: () => true });
  const servers = [await serveMemory({ place: place() }), await serveMemory({ place: place() })];
  for (const one of servers) onTestFinished(() => one.end());
  const ask = async (turn: number, method: string, path: string, body?: object) => {
    const answer = await fetch(`${servers[turn % 2]?.url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  return { ask, place, pooled: pooler.url };
}

describeBehindPooler("behind a real PgBouncer in transaction mode", () => {
  it("supports two servers that write, recall, undo and purge concurrently", {
    timeout: LIMIT,
  }, async () => {
    const { ask } = await startServers();
    expect((await ask(0, "POST", "/episodes", { content: "Note of the beginning" })).status).toBe(
      200,
    );
    const turns = Array.from({ length: 60 }, (_, turn) => turn);
    const answers = await Promise.all(
      turns.map(async (turn) => [
        await ask(turn, "POST", "/episodes", { content: `Note ${turn} of the pooler` }),
        await ask(turn + 1, "POST", "/query", { query: "which notes are there?" }),
        await ask(turn, "GET", "/stats"),
      ]),
    );
    const wrong = answers.flat().filter(({ status }) => status !== 200);
    expect(wrong).toEqual([]);
    const changed = await ask(1, "POST", "/undo", {});
    expect([changed.status, changed.text]).toEqual([200, expect.stringContaining("undo_of")]);
    expect((await ask(0, "POST", "/purge", { ids: ["ep:2"] })).status).toBe(200);
    expect((await ask(1, "POST", "/databases/default/copy", { to: "copy" })).status).toBe(200);
    expect((await ask(0, "POST", "/databases/copy/doctor", {})).text).toContain('"ok":true');
    const stats = JSON.parse((await ask(0, "GET", "/stats")).text);
    expect(stats.episodes.total).toBe(turns.length - 1);
  });

  it("leaves no session state behind a pooler", { timeout: LIMIT }, async () => {
    const { ask, place, pooled } = await startServers();
    for (let turn = 0; turn < 20; turn += 1) {
      await ask(turn, "POST", "/episodes", { content: `Note ${turn}` });
    }
    await ask(0, "POST", "/purge", { ids: ["ep:1"] });
    const own = place();
    onTestFinished(() => own.close());
    await own.open("default").refine(["select 1"]);
    // One client per server connection, to inspect each of them.
    const clients = Array.from({ length: SESSIONS }, () => new pg.Client(pooled));
    for (const client of clients) {
      await client.connect();
      await client.query("begin");
    }
    for (const client of clients) {
      const { rows } = await client.query(LEFT);
      expect(rows).toEqual([
        { path: '"$user", public', lock_wait: "0", statement: "0", prepared: 0, locks: 0 },
      ]);
    }
    for (const client of clients) await client.end();
    await expect(own.open("default").rewrite()).rejects.toThrow("which a pooler does not provide");
  });
});
