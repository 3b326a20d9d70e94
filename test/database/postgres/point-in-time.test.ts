import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { openDatabaseBackend, postgresSettings } from "../../../src/database/index.ts";
import { openMemoryStore } from "../../support/memory-server.ts";
import { PostgresServer } from "../../support/postgres/postgres-server.ts";
import { describeOnPostgres } from "../../support/postgres/test-database.ts";

function storeOn(server: PostgresServer) {
  const backend = openDatabaseBackend({
    folder: "",
    address: server.url(),
    postgres: postgresSettings.parse({}),
    isName: () => true,
  });
  return openMemoryStore(backend);
}

async function ask(server: PostgresServer, statement: string): Promise<string> {
  const client = new pg.Client(server.url());
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: "array" });
    return String(rows[0]?.[0]);
  } finally {
    await client.end();
  }
}

describeOnPostgres("a restore to a point in time", () => {
  it("restores to a point in time after the base backup", {
    tags: ["long"],
    timeout: 360_000,
  }, async () => {
    const root = mkdtempSync(join(tmpdir(), "cairn-pitr-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [archive, first, second] = ["archive", "first", "second"].map((name) => join(root, name));
    if (archive === undefined || first === undefined || second === undefined) throw new Error("");
    PostgresServer.prepareFolder(root);
    mkdirSync(archive);
    PostgresServer.prepareFolder(archive);
    const lost = await PostgresServer.start({
      folder: first,
      settings: {
        ...{ wal_level: "replica", max_wal_senders: 4, archive_mode: "on" },
        archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      },
    });
    onTestFinished(() => lost.stop());
    const store = storeOn(lost);
    const memory = store.open();
    await memory.execute("remember", { content: "Before the base backup" });
    PostgresServer.prepareFolder(second);
    await lost.run(
      "pg_basebackup",
      ...["--host", "127.0.0.1", "--port", String(lost.port), "--username", "cairn"],
      ...["--pgdata", join(second, "data"), "--checkpoint", "fast", "--no-sync"],
    );
    await memory.execute("remember", { content: "After the base backup" });
    const moment = await ask(lost, "select clock_timestamp()::text");
    await memory.execute("purge", { ids: ["ep:1", "ep:2"] });
    await ask(lost, "select pg_switch_wal()");
    const isArchived = async () =>
      (await ask(
        lost,
        "select last_archived_wal >= (select pg_walfile_name(pg_current_wal_lsn() - 1)) from pg_stat_archiver",
      )) === "true";
    await expect.poll(isArchived, { timeout: 60_000 }).toBe(true);
    await store.close();
    await lost.stop();

    writeFileSync(join(second, "data", "recovery.signal"), "", { mode: 0o644 });
    const restored = await PostgresServer.start({
      folder: second,
      settings: {
        ...{ wal_level: "replica", restore_command: `cp ${archive}/%f %p` },
        ...{ recovery_target_time: moment, recovery_target_action: "promote" },
      },
    });
    onTestFinished(() => restored.stop());
    const isBack = async () => ask(restored, "select pg_is_in_recovery()::text");
    await expect.poll(isBack, { timeout: 90_000 }).toBe("false");
    const again = storeOn(restored);
    onTestFinished(() => again.close());
    const { episodes } = await again.open().execute("list_episodes", {});
    expect(episodes.map(({ content }) => content).sort()).toEqual([
      "After the base backup",
      "Before the base backup",
    ]);
    await again.open().execute("remember", { content: "And it goes on" });
    const { results } = await again
      .open()
      .execute("apply", { changeset: 'remember "two"', dry_run: true });
    expect(results).toHaveLength(1);
  });
});
