import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { openMemoryStore } from "../../support/memory-server.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { createCliFolders, runInProcess } from "../../support/run-cli.ts";

const LIMIT = 180_000;
const SECRET = "Zanzibarquarter";

async function openDatabase() {
  const server = takePostgresDatabase();
  onTestFinished(() => server[Symbol.dispose]());
  const store = openMemoryStore(
    openDatabaseBackend({ folder: "", address: server.url, isName: () => true }),
  );
  onTestFinished(() => store.close());
  const memory = store.open();
  for (const content of [`Her name is ${SECRET}`, "Something else"]) {
    await memory.execute("remember", { content });
  }
  const client = new pg.Client(server.url);
  await client.connect();
  onTestFinished(() => client.end());
  return { url: server.url, memory, client };
}

async function filesWith(client: pg.Client, text: string): Promise<string[]> {
  await client.query("checkpoint");
  const { rows } = await client.query<{ folder: string; oid: string }>(
    "select current_setting('data_directory') as folder, oid::text from pg_database where datname = current_database()",
  );
  const folder = join(rows[0]?.folder ?? "", "base", rows[0]?.oid ?? "");
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}

describeOnPostgres("a purge on PostgreSQL", () => {
  it("locks no table, so reads and writes continue", { timeout: LIMIT }, async () => {
    const { memory, client } = await openDatabase();
    // A reader holds a lock that would block a table rewrite.
    await client.query("begin; select count(*) from cairn_1.episodes");
    let isPurged = false;
    const purging = memory.execute("purge", { ids: ["ep:1"] }).finally(() => {
      isPurged = true;
    });
    while (!isPurged) {
      await memory.execute("remember", { content: "Written meanwhile" });
    }
    expect((await purging).kept_elsewhere?.[0]).toContain("cairn doctor --rewrite");
    await client.query("commit");
    const database = await memory.database();
    expect(await database.findBytes(SECRET)).toEqual([]);
  });

  it("leaves bytes that a requested rewrite removes", {
    timeout: LIMIT,
  }, async () => {
    const { url, memory, client } = await openDatabase();
    expect(await filesWith(client, SECRET)).not.toEqual([]);
    await memory.execute("purge", { ids: ["ep:1"] });
    const folders = createCliFolders();
    const args = ["doctor", "--rewrite", "--database", url, "--db", "default"];
    const rewritten = await runInProcess(folders, args);
    expect([rewritten.code, rewritten.stdout]).toEqual([0, expect.stringContaining("Rewrote")]);
    await expect.poll(() => filesWith(client, SECRET), { timeout: LIMIT }).toEqual([]);
    expect((await memory.execute("get_episode", { episode_id: "ep:2" })).content).toBe(
      "Something else",
    );
  });
});
